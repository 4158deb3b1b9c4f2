/** Lines of a job's log, oldest first. */
import { and, desc, eq, gt } from 'drizzle-orm';
import type { Queryable } from '@/db/client';
import { jobLogs } from '@/db/schema/jobs';
import type { Reader } from './reader';

export interface LogLine {
  readonly id: number;
  readonly at: string;
  readonly step: string | null;
  readonly level: 'info' | 'warning' | 'error';
  readonly text: string;
}

/** A page keeps no more than this; the whole log can be downloaded. */
const mostLines = 1000;

/** The newest lines, or those after `after`. */
export async function jobLog(
  queryable: Queryable,
  _reader: Reader,
  jobId: string,
  after: number | null,
  limit = mostLines,
): Promise<readonly LogLine[]> {
  const rows = await queryable
    .select({ id: jobLogs.id, at: jobLogs.at, step: jobLogs.step, level: jobLogs.level, text: jobLogs.text })
    .from(jobLogs)
    .where(and(eq(jobLogs.jobId, jobId), after === null ? undefined : gt(jobLogs.id, after)))
    .orderBy(desc(jobLogs.id))
    .limit(limit);
  return rows.reverse().map((row) => ({ ...row, at: row.at.toISOString() }));
}
