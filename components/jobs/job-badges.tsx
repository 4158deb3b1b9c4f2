'use client';
import { Badge } from '@/components/ui/badge';
import { useNow } from '@/components/ui/use-now';
import type { JobRow } from '@/db/queries/job-rows';
import type { Usual } from '@/db/queries/job-usual';
import { flagLooks, jobFlags } from './job-flags';
import { jobLook, looks } from './job-words';

/** State of a job: word, icon, colour. */
export function JobBadge({ job }: { job: Pick<JobRow, 'status' | 'reason' | 'endedByPassId'> }) {
  const look = looks[jobLook(job)];
  return (
    <Badge tone={look.tone} icon={look.icon} isActive={job.status === 'in_progress'} title={look.meaning}>
      {look.label}
    </Badge>
  );
}

/** What may be wrong with it now; the sentence is the title, and stands in full on the job's page. */
export function JobFlags({ job, usual }: { job: JobRow; usual: Usual | undefined }) {
  const now = useNow();
  return jobFlags(job, usual, now).map((flag) => {
    const look = flagLooks[flag.name];
    return (
      <Badge key={flag.name} tone={look.tone} icon={look.icon} title={flag.text}>
        {look.label}
      </Badge>
    );
  });
}
