'use client';
import { useQuery } from '@tanstack/react-query';
import { parseAsString, useQueryState } from 'nuqs';
import { useState } from 'react';
import { PageHeader } from '@/components/ui/page-header';
import { Panel } from '@/components/ui/panel';
import { FailedState } from '@/components/ui/states';
import { type ClusterState, clusterStates } from '@/domain/states';
import { ClusterMachine } from './cluster-machine';
import { Legend, ZoomButtons } from './diagram-controls';
import { lifecycleFleetQuery } from './lifecycle-queries';
import { MachineDiagram } from './machine-diagram';
import { MachineTable } from './machine-table';
import { StatePanel } from './state-panel';

const isId = (text: string | null): text is string => text !== null && /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(text);

export function LifecycleView() {
  const [asked, setAsked] = useQueryState('cluster', parseAsString.withOptions({ history: 'push' }));
  const clusterId = isId(asked) ? asked : null;
  const { data: fleet } = useQuery(lifecycleFleetQuery());
  return (
    <div className="flex flex-col gap-4">
      <PageHeader
        title="Lifecycle"
        description="The states of a cluster and every way between them: the table that the servers follow."
      />
      {clusterId === null ? (
        <FleetMachine />
      ) : (
        <ClusterMachine clusterId={clusterId} onLeave={() => void setAsked(null)} />
      )}
      <MachineTable fleet={fleet} />
    </div>
  );
}

function FleetMachine() {
  const { data: fleet, error, refetch, isFetching } = useQuery(lifecycleFleetQuery());
  const [selected, setSelected] = useState<ClusterState | null>(null);
  const [zoom, setZoom] = useState(1);
  const counts =
    fleet === undefined
      ? undefined
      : (Object.fromEntries(clusterStates.map((state) => [state, fleet.counts[state] ?? 0])) as Record<
          ClusterState,
          number
        >);
  return (
    <Panel
      id="machine"
      title="The fleet"
      description="How many clusters are in each state now; ≈ how long they usually stay."
      flush
      actions={<ZoomButtons zoom={zoom} onZoom={setZoom} />}
    >
      {error === null ? null : (
        <FailedState
          title="The counts could not be read"
          text={error.message}
          onRetry={() => void refetch()}
          isBusy={isFetching}
        />
      )}
      <div className="p-3">
        <MachineDiagram counts={counts} dwell={fleet?.dwell} selected={selected} onSelect={setSelected} zoom={zoom} />
        <Legend />
      </div>
      {selected === null ? null : <StatePanel state={selected} count={counts?.[selected]} onSelect={setSelected} />}
    </Panel>
  );
}
