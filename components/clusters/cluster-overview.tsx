'use client';
import { CircleCheck, CircleDashed } from 'lucide-react';
import { routes } from '@/components/routes';
import { KeyValues } from '@/components/ui/key-values';
import { Panel } from '@/components/ui/panel';
import { TextLink } from '@/components/ui/text-link';
import { Time } from '@/components/ui/time';
import type { ClusterDetail } from '@/db/queries/cluster-dto';
import { componentLabels } from '@/domain/components';
import { CheckNow } from './check-now';
import { EventLines } from './event-lines';
import { HeldPanel } from './held-panel';
import { HistoryStrip } from './history-strip';
import { JobLines } from './job-lines';
import { NodesTable } from './nodes-table';
import { useCluster } from './use-cluster';
import { WhyPanel } from './why-panel';

const overviewJobs = 5;
const overviewEvents = 8;

/** The first page of a cluster: who holds it, why it needs attention, its parts, what happened last. */
export function ClusterOverview({ id }: { id: string }) {
  const cluster = useCluster(id);
  return (
    <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="flex min-w-0 flex-col gap-4">
        <HeldPanel cluster={cluster} />
        <WhyPanel cluster={cluster} />
        <Panel id="states" title="States" actions={<TextLink href={routes.cluster(id, 'lifecycle')}>History</TextLink>}>
          <HistoryStrip transitions={cluster.transitions} />
        </Panel>
        <Panel id="nodes" title="Nodes" flush actions={<CheckNow clusterId={id} reason={checkReason(cluster)} />}>
          <NodesTable cluster={cluster} />
        </Panel>
        <Panel id="jobs" title="Latest jobs" flush actions={<TextLink href={routes.cluster(id, 'jobs')}>All</TextLink>}>
          <JobLines jobs={cluster.jobs.slice(0, overviewJobs)} />
        </Panel>
      </div>
      <div className="flex min-w-0 flex-col gap-4">
        <Panel id="facts" title="About">
          <Facts cluster={cluster} />
        </Panel>
        <Panel id="components" title="Components">
          <Components cluster={cluster} />
        </Panel>
        <Panel id="events" title="Latest events" actions={<TextLink href={routes.cluster(id, 'events')}>All</TextLink>}>
          <EventLines events={cluster.events.slice(0, overviewEvents)} />
        </Panel>
      </div>
    </div>
  );
}

/** Offered in every state that has something to check. */
export function checkReason(cluster: ClusterDetail): string | undefined {
  if (!cluster.mayDownload) return 'Needs the role operator.';
  return cluster.state === 'Created' || cluster.state === 'Destroyed' ? 'There are no machines to check.' : undefined;
}

function Facts({ cluster }: { cluster: ClusterDetail }) {
  const offering = (id: string | null) => (id === null ? null : (cluster.offeringNames[id] ?? id));
  return (
    <KeyValues
      items={[
        ...(cluster.description === '' ? [] : [{ label: 'Purpose', value: cluster.description }]),
        {
          label: 'API',
          value:
            cluster.endpoint === null ? null : <span className="font-mono text-xs break-all">{cluster.endpoint}</span>,
        },
        {
          label: 'Version',
          value: cluster.nodeVersions.length > 1 ? `mixed: ${cluster.nodeVersions.join(', ')}` : cluster.version,
        },
        {
          label: 'Autoscaling',
          value: autoscaleText(cluster),
        },
        { label: 'Protection', value: cluster.protected ? 'on: cannot be deleted' : 'off' },
        {
          label: 'Offering',
          value: `${offering(cluster.workerOfferingId)} (workers), ${offering(cluster.controlOfferingId)} (control)`,
        },
        { label: 'Zone', value: cluster.zoneName },
        { label: 'SSH key', value: cluster.sshKeyPair },
        { label: 'Owner', value: cluster.createdBy },
        { label: 'Created', value: <Time value={cluster.createdAt} /> },
        ...(cluster.removedAt === null ? [] : [{ label: 'Deleted', value: <Time value={cluster.removedAt} /> }]),
      ]}
    />
  );
}

function autoscaleText({ autoscale, state }: ClusterDetail): string {
  if (autoscale === null) return 'off';
  const bounds = `${autoscale.min} to ${autoscale.max} workers`;
  return state === 'Alert' ? `${bounds}; paused while in Alert` : bounds;
}

function Components({ cluster }: { cluster: ClusterDetail }) {
  const wanted = cluster.components.filter((each) => each.wanted);
  if (wanted.length === 0) return <p className="text-sm text-faint">None yet.</p>;
  return (
    <ul className="flex flex-col gap-1.5 text-sm">
      {wanted.map((each) => {
        const Icon = each.installedAt === null ? CircleDashed : CircleCheck;
        return (
          <li key={each.component} className="flex items-center justify-between gap-2">
            <span className="flex items-center gap-2">
              <Icon
                aria-hidden
                className={each.installedAt === null ? 'size-3.5 text-faint' : 'size-3.5 text-success'}
              />
              {componentLabels[each.component]}
            </span>
            <span className="text-xs text-faint">
              {each.installedAt === null ? 'not installed' : <Time value={each.installedAt} />}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
