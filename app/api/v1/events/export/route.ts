import { csvLine } from '@/app/api/v1/events/csv';
import { eventFilterOf, eventSearchOf } from '@/app/api/v1/events/event-request';
import { type ExportFormat, fileTime, fileTypes, formatOf, streamFile } from '@/app/api/v1/events/export-stream';
import { readerOf } from '@/app/reader';
import { type EventFilter, type EventRow, listEvents } from '@/db/queries/events';
import type { Reader } from '@/db/queries/reader';
import { runtime } from '@/runtime';

const rowsAPage = 1000;
const columns = [
  'id',
  'time',
  'type',
  'result',
  'cluster',
  'cluster id',
  'actor kind',
  'actor',
  'server',
  'job id',
  'summary',
  'detail',
];

/** Every event of the filter, newest first, as CSV or JSON lines. */
export function GET(request: Request): Promise<Response> {
  const format = formatOf(request);
  const filter = eventFilterOf(eventSearchOf(request));
  return streamFile({ name: `holdfast-events-${fileTime()}.${format}`, type: fileTypes[format] }, (actor) =>
    pages(readerOf(actor), filter, format),
  );
}

async function* pages(reader: Reader, filter: EventFilter, format: ExportFormat): AsyncGenerator<string> {
  if (format === 'csv') yield csvLine(columns);
  let before: number | null = null;
  do {
    const page: { rows: readonly EventRow[]; next: number | null } = await listEvents(runtime().db, reader, {
      filter,
      before,
      limit: rowsAPage,
    });
    if (page.rows.length > 0)
      yield page.rows.map((row) => (format === 'csv' ? csvOf(row) : `${JSON.stringify(row)}\n`)).join('');
    before = page.next;
  } while (before !== null);
}

function csvOf(row: EventRow): string {
  return csvLine([
    row.id,
    row.at,
    row.type,
    row.result,
    row.clusterName,
    row.clusterId,
    row.actorKind,
    row.actorName,
    row.serverName,
    row.jobId,
    row.summary,
    JSON.stringify(row.detail),
  ]);
}
