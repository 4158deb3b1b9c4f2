import { z } from 'zod';
import { idOf, readAsViewer } from '@/app/api/v1/jobs/read-route';
import { jobLog, type LogLine } from '@/db/queries/job-log';
import { runtime } from '@/runtime';

export const dynamic = 'force-dynamic';

const query = z.object({ after: z.string().regex(/^[0-9]{1,15}$/).transform(Number).nullable().catch(null), download: z.literal('1').nullable().catch(null) });
const wholeLog = 100_000;

/** Lines of a job's log, those after `after`; with `download=1` all of them as a text. */
export function GET(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  return readAsViewer(async (actor) => {
    const id = await idOf(params, 'job');
    const asked = new URL(request.url).searchParams;
    const { after, download } = query.parse({ after: asked.get('after'), download: asked.get('download') });
    if (download === null) return jobLog(runtime().db, actor, id, after);
    const text = (await jobLog(runtime().db, actor, id, null, wholeLog)).map(lineText).join('\n');
    return new Response(`${text}\n`, {
      headers: {
        'content-type': 'text/plain; charset=utf-8',
        'content-disposition': `attachment; filename="job-${id.slice(0, 8)}.log"`,
        'cache-control': 'no-store',
      },
    });
  });
}

function lineText(line: LogLine): string {
  return [line.at, line.level.padEnd(7), line.step ?? '-', line.text].join('  ');
}
