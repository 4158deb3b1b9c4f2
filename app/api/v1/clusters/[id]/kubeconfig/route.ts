import { z } from 'zod';
import { refusalResponse } from '@/app/api/v1/answer';
import { authorize } from '@/auth/session';
import { runtime } from '@/runtime';
import { downloadKubeconfig } from '@/worker/download-kubeconfig';

export const dynamic = 'force-dynamic';

/** Operators only; each download signs a new certificate and leaves an event. */
export async function GET(_request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const authorized = await authorize('operator');
  if (!authorized.ok) return refusalResponse(authorized.refusal);
  const id = z.uuid().safeParse((await params).id);
  if (!id.success) return refusalResponse({ code: 'not-found', message: 'There is no such cluster.' });
  const answer = await downloadKubeconfig(runtime().worker, authorized.value, id.data);
  if (!answer.ok) return refusalResponse(answer.refusal);
  return new Response(answer.value.text, {
    headers: {
      'content-type': 'application/yaml; charset=utf-8',
      'content-disposition': `attachment; filename="${answer.value.fileName}"`,
      'cache-control': 'no-store',
    },
  });
}
