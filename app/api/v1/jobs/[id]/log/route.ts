import { z } from 'zod';
import { answerRead, refusalResponse } from '@/app/api/v1/answer';
import { foundById } from '@/app/api/v1/jobs/id-of';
import { readerOf } from '@/app/reader';
import { authorize } from '@/auth/session';
import { jobKind } from '@/db/queries/job';
import { jobLog, type LogLine } from '@/db/queries/job-log';
import { runtime } from '@/runtime';

const afterParameter = z
  .string()
  .regex(/^[0-9]{1,15}$/)
  .transform(Number)
  .nullable()
  .catch(null);
const wholeLog = 100_000;

/** Lines of a job's log, those after `after`; with `download=1` all of them as a text. */
export async function GET(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const asked = new URL(request.url).searchParams;
  if (asked.get('download') === '1') return download(params);
  const after = afterParameter.parse(asked.get('after'));
  return answerRead('viewer', (actor) =>
    foundById(params, 'job', (id) => jobLog(runtime().db, readerOf(actor), id, after)),
  );
}

async function download(params: Promise<{ id: string }>): Promise<Response> {
  const authorized = await authorize('viewer');
  if (!authorized.ok) return refusalResponse(authorized.refusal);
  const reader = readerOf(authorized.value);
  const found = await foundById(params, 'job', async (id) =>
    (await jobKind(runtime().db, reader, id)) === undefined
      ? undefined
      : { id, lines: await jobLog(runtime().db, reader, id, null, wholeLog) },
  );
  if (!found.ok) return refusalResponse(found.refusal);
  const { id, lines } = found.value;
  return new Response(`${lines.map(lineText).join('\n')}\n`, {
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': `attachment; filename="job-${id.slice(0, 8)}.log"`,
      'cache-control': 'no-store',
    },
  });
}

function lineText(line: LogLine): string {
  return [line.at, line.level.padEnd(7), line.step ?? '-', line.text].join('  ');
}
