import { csvLine } from '@/app/api/v1/events/csv';
import { type ExportFormat, fileTime, fileTypes, formatOf, streamFile } from '@/app/api/v1/events/export-stream';
import { filterOf, searchOf } from '@/app/api/v1/jobs/job-request';
import { readerOf } from '@/app/reader';
import type { JobSearch } from '@/components/jobs/job-search';
import type { JobRow } from '@/db/queries/job-rows';
import { type JobPage, listJobs, parseJobKey } from '@/db/queries/jobs';
import type { Reader } from '@/db/queries/reader';
import { runtime } from '@/runtime';

const columns = [
  'id',
  'operation',
  'status',
  'reason',
  'message',
  'cluster',
  'cluster id',
  'server',
  'server run',
  'asked by',
  'accepted',
  'started',
  'finished',
  'steps done',
  'steps',
  'late result',
  'ended by pass',
];

/** Every job of the filter, as CSV or JSON lines. */
export function GET(request: Request): Promise<Response> {
  const format = formatOf(request);
  const search = searchOf(request);
  return streamFile({ name: `holdfast-jobs-${fileTime()}.${format}`, type: fileTypes[format] }, (actor) =>
    pages(readerOf(actor), search, format),
  );
}

async function* pages(reader: Reader, search: JobSearch, format: ExportFormat): AsyncGenerator<string> {
  if (format === 'csv') yield csvLine(columns);
  const tab = search.tab === 'refused' ? 'all' : search.tab;
  let after: string | null = null;
  do {
    const page: JobPage = await listJobs(runtime().db, reader, {
      tab,
      filter: filterOf(search),
      after: parseJobKey(after) ?? null,
    });
    if (page.rows.length > 0)
      yield page.rows.map((row) => (format === 'csv' ? csvOf(row) : `${JSON.stringify(row)}\n`)).join('');
    after = page.next;
  } while (after !== null);
}

function csvOf(row: JobRow): string {
  const { server } = row;
  return csvLine([
    ...[row.id, row.kind, row.status, row.reason, row.message, row.clusterName, row.clusterId],
    ...[server?.name ?? null, server?.id ?? null, row.actorName, row.acceptedAt, row.startedAt, row.finishedAt],
    ...[row.stepsDone, row.stepsTotal, row.lateResultAt, row.endedByPassId],
  ]);
}
