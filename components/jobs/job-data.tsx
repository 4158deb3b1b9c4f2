'use client';
import { Panel } from '@/components/ui/panel';
import type { JobDetail } from '@/db/queries/job';
import { JsonFold } from './json-fold';

/** What was asked and what came of it, as stored. No secret is stored with a job. */
export function JobData({ job }: { job: JobDetail }) {
  const { steps: _, band: __, transitions: ___, lateResults: ____, ...raw } = job;
  return (
    <Panel id="data" title="Input and result">
      <div className="flex flex-col gap-1">
        <JsonFold title="Input" value={job.input} />
        {job.result === null ? null : <JsonFold title="Result" value={job.result} />}
        <JsonFold title="Raw job" value={raw} />
      </div>
    </Panel>
  );
}
