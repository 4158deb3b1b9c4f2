'use client';
import { ArrowDown, ArrowUp, CornerDownRight, CornerUpLeft, LifeBuoy, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { routes } from '@/components/routes';
import { Panel } from '@/components/ui/panel';
import { TextLink } from '@/components/ui/text-link';
import { Time } from '@/components/ui/time';
import type { JobDetail } from '@/db/queries/job';
import { JobBadge } from './job-badges';
import { kindLabel } from './job-words';

type Related = NonNullable<JobDetail['previous']>;

/** What came before and after on the same cluster, what it continues, who ended it. */
export function JobRelated({ job }: { job: JobDetail }) {
  const isEmpty =
    job.previous === null &&
    job.next === null &&
    job.continues === null &&
    job.continuedBy.length === 0 &&
    job.endedBy === null;
  return (
    <Panel
      id="related"
      title="Related"
      actions={
        job.clusterId === null ? undefined : (
          <TextLink href={routes.jobsOf({ cluster: job.clusterId })} className="text-xs">
            All of this cluster
          </TextLink>
        )
      }
    >
      {isEmpty ? <p className="text-sm text-faint">The first and only job of this cluster.</p> : null}
      <ul className="flex flex-col gap-2.5">
        {job.endedBy === null ? null : (
          <Item icon={LifeBuoy} relation="Ended by">
            <TextLink href={routes.recoveryRun(job.endedBy.passId)}>recovery pass {job.endedBy.passId}</TextLink>
          </Item>
        )}
        {job.continues === null ? null : <RelatedItem icon={CornerUpLeft} relation="Continues" job={job.continues} />}
        {job.continuedBy.map((each) => (
          <RelatedItem key={each.id} icon={CornerDownRight} relation="Continued by" job={each} />
        ))}
        {job.next === null ? null : <RelatedItem icon={ArrowUp} relation="Next on this cluster" job={job.next} />}
        {job.previous === null ? null : (
          <RelatedItem icon={ArrowDown} relation="Previous on this cluster" job={job.previous} />
        )}
      </ul>
    </Panel>
  );
}

function Item({ icon: Icon, relation, children }: { icon: LucideIcon; relation: string; children: ReactNode }) {
  return (
    <li className="flex items-start gap-2 text-sm">
      <Icon aria-hidden className="mt-0.5 size-3.5 shrink-0 text-faint" />
      <div className="min-w-0 grow">
        <p className="text-xs text-faint">{relation}</p>
        {children}
      </div>
    </li>
  );
}

function RelatedItem({ icon, relation, job }: { icon: LucideIcon; relation: string; job: Related }) {
  return (
    <Item icon={icon} relation={relation}>
      <div className="flex flex-wrap items-center justify-between gap-x-2 gap-y-1">
        <span>
          <TextLink href={routes.job(job.id)}>{kindLabel(job.kind)}</TextLink>{' '}
          <span className="text-xs text-faint">
            by {job.actorName}, <Time value={job.acceptedAt} />
          </span>
        </span>
        <JobBadge job={{ ...job, endedByPassId: null }} />
      </div>
    </Item>
  );
}
