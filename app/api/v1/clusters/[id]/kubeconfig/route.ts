import { z } from 'zod';
import { authorize } from '@/auth/session';
import { refusalStatus } from '@/domain/refusals';
import { runtime } from '@/runtime';
import { downloadKubeconfig } from '@/worker/download-kubeconfig';

export const dynamic = 'force-dynamic';

/** Operators only; each download signs a new certificate and leaves an event. */
export async function GET(_request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const authorized = await authorize('operator');
  if (!authorized.ok) return Response.json(authorized.refusal, { status: refusalStatus[authorized.refusal.code] });
  const id = z.uuid().safeParse((await params).id);
  if (!id.success) return Response.json({ code: 'not-found', message: 'There is no such cluster.' }, { status: 404 });
  const answer = await downloadKubeconfig(runtime().worker, authorized.value, id.data);
  if (!answer.ok) return Response.json(answer.refusal, { status: refusalStatus[answer.refusal.code] });
  return new Response(answer.value.text, {
    headers: {
      'content-type': 'application/yaml; charset=utf-8',
      'content-disposition': `attachment; filename="${answer.value.fileName}"`,
      'cache-control': 'no-store',
    },
  });
}
