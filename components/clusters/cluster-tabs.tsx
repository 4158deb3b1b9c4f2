'use client';
import { ClusterMachine } from '@/components/lifecycle/cluster-machine';
import { routes } from '@/components/routes';
import { Panel } from '@/components/ui/panel';
import { TextLink } from '@/components/ui/text-link';
import { EventLines } from './event-lines';
import { HistoryStrip } from './history-strip';
import { JobLines } from './job-lines';
import { NodesTable } from './nodes-table';
import { TransitionsTable } from './transitions-table';
import { useCluster } from './use-cluster';

/** The further pages of a cluster, each one panel of what its overview shows in part. */

export function ClusterNodes({ id }: { id: string }) {
  return (
    <Panel id="nodes" title="Nodes" flush>
      <NodesTable cluster={useCluster(id)} />
    </Panel>
  );
}

export function ClusterJobs({ id }: { id: string }) {
  const { jobs } = useCluster(id);
  return (
    <Panel
      id="jobs"
      title="Jobs"
      description="The latest 20"
      flush
      actions={<TextLink href={routes.jobsOf({ cluster: id })}>All its jobs</TextLink>}
    >
      <JobLines jobs={jobs} />
    </Panel>
  );
}

export function ClusterEvents({ id }: { id: string }) {
  const { events } = useCluster(id);
  return (
    <Panel
      id="events"
      title="Events"
      description="The latest 50"
      actions={<TextLink href={routes.eventsOf({ cluster: id })}>All its events</TextLink>}
    >
      <EventLines events={events} />
    </Panel>
  );
}

export function ClusterHistory({ id }: { id: string }) {
  const { transitions } = useCluster(id);
  return (
    <div className="flex flex-col gap-4">
      <Panel id="states" title="States">
        <HistoryStrip transitions={transitions} />
      </Panel>
      <ClusterMachine clusterId={id} />
      <Panel id="transitions" title="Changes of state" flush>
        <TransitionsTable transitions={transitions} />
      </Panel>
    </div>
  );
}
