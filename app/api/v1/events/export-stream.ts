import 'server-only';
import { refusalResponse } from '@/app/api/v1/answer';
import { authorize } from '@/auth/session';
import type { Actor } from '@/domain/actor';

/**
 * Answers with a file that is made while it is sent: `pages` yields texts, one a page, so that no export is held in memory. A fault
 * after the first byte breaks the download off; a whole file is a complete one.
 */
export async function streamFile(
  file: { name: string; type: string },
  pages: (actor: Actor) => AsyncGenerator<string>,
): Promise<Response> {
  const authorized = await authorize('viewer');
  if (!authorized.ok) return refusalResponse(authorized.refusal);
  const encoder = new TextEncoder();
  const source = pages(authorized.value);
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await source.next();
      if (next.done === true) controller.close();
      else controller.enqueue(encoder.encode(next.value));
    },
    async cancel() {
      await source.return(undefined);
    },
  });
  return new Response(body, {
    headers: {
      'content-type': file.type,
      'content-disposition': `attachment; filename="${file.name}"`,
      'cache-control': 'no-store',
    },
  });
}

/** "2026-12-01T12-03-10Z": when it was made, fit for a file's name. */
export function fileTime(): string {
  return `${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}Z`;
}

export type ExportFormat = 'csv' | 'jsonl';

export function formatOf(request: Request): ExportFormat {
  return new URL(request.url).searchParams.get('format') === 'jsonl' ? 'jsonl' : 'csv';
}

export const fileTypes: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
};
