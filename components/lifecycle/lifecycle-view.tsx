'use client';
import { useQuery } from '@tanstack/react-query';
import { Maximize2, ZoomIn, ZoomOut } from 'lucide-react';
import { parseAsString, useQueryState } from 'nuqs';
import { useCallback, useState } from 'react';
import { routes } from '@/components/routes';
import { Button, ButtonLink, IconButton } from '@/components/ui/button';
import { PageHeader } from '@/components/ui/page-header';
import { Panel } from '@/components/ui/panel';
import { FailedState } from '@/components/ui/states';
import { type ClusterState, clusterStates } from '@/domain/states';
import { edgeStyles } from './edge-line';
import { clusterPathQuery, lifecycleFleetQuery } from './lifecycle-queries';
import { MachineDiagram } from './machine-diagram';
import { edgeKinds } from './machine-edges';
import type { EdgeKey } from './machine-layout';
import { MachineTable } from './machine-table';
import { PathPlayer } from './path-player';
import { StatePanel } from './state-panel';

const zooms: readonly number[] = [0.75, 1, 1.35, 1.8];
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

/** One cluster's life, lit on the diagram. Also for the cluster's own page. */
export function ClusterMachine({ clusterId, onLeave }: { clusterId: string; onLeave?: () => void }) {
  const { data: path, error, refetch, isFetching } = useQuery(clusterPathQuery(clusterId));
  const [moved, setMoved] = useState<number | null>(null);
  const [selected, setSelected] = useState<ClusterState | null>(null);
  const [zoom, setZoom] = useState(1);
  const move = useCallback((position: number) => {
    setSelected(null);
    setMoved(position);
  }, []);
  const last = path?.steps.length ?? 0;
  // Until somebody moves it, it stands at the present, also when that goes on.
  const position = Math.min(moved ?? last, last);
  const taken = path?.steps.slice(0, position) ?? [];
  const latest = taken.at(-1);
  const present = latest?.to ?? path?.steps[0]?.from ?? path?.state;
  return (
    <Panel
      id="machine"
      title={path === undefined ? 'One cluster' : path.name}
      description={
        path === undefined
          ? undefined
          : `${last + path.earlier} changes of state${path.isRemoved ? '; it has been deleted' : ''}`
      }
      flush
      actions={
        <>
          {path === undefined ? null : (
            <ButtonLink size="sm" variant="ghost" href={routes.cluster(clusterId)}>
              Open the cluster
            </ButtonLink>
          )}
          {onLeave === undefined ? null : (
            <Button size="sm" onClick={onLeave}>
              Show the fleet
            </Button>
          )}
          <ZoomButtons zoom={zoom} onZoom={setZoom} />
        </>
      }
    >
      {error === null ? null : (
        <FailedState
          title="Its way could not be read"
          text={error.message}
          onRetry={() => void refetch()}
          isBusy={isFetching}
        />
      )}
      <div className="p-3">
        <MachineDiagram
          lit={new Set(taken.map((step): EdgeKey => `${step.from}>${step.to}`))}
          current={latest === undefined ? undefined : `${latest.from}>${latest.to}`}
          present={present}
          selected={selected}
          onSelect={setSelected}
          zoom={zoom}
        />
        <Legend />
      </div>
      {selected === null ? null : <StatePanel state={selected} count={undefined} onSelect={setSelected} />}
      {path === undefined ? null : <PathPlayer path={path} position={position} onMove={move} />}
    </Panel>
  );
}

function ZoomButtons({ zoom, onZoom }: { zoom: number; onZoom: (zoom: number) => void }) {
  const index = zooms.indexOf(zoom);
  const smaller = zooms[index - 1];
  const larger = zooms[index + 1];
  return (
    <span className="flex">
      <IconButton
        size="icon-sm"
        label="Smaller"
        icon={<ZoomOut aria-hidden className="size-4" />}
        reason={smaller === undefined ? 'It is at its smallest.' : undefined}
        onClick={() => smaller !== undefined && onZoom(smaller)}
      />
      <IconButton
        size="icon-sm"
        label="Larger"
        icon={<ZoomIn aria-hidden className="size-4" />}
        reason={larger === undefined ? 'It is at its largest.' : undefined}
        onClick={() => larger !== undefined && onZoom(larger)}
      />
      <IconButton
        size="icon-sm"
        label="Fit the width"
        icon={<Maximize2 aria-hidden className="size-3.5" />}
        onClick={() => onZoom(1)}
      />
    </span>
  );
}

function Legend() {
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1 px-1 pt-2 text-xs text-soft" aria-label="Kinds of ways">
      {edgeKinds.map((kind) => {
        const style = edgeStyles[kind];
        return (
          <li key={kind} className="flex items-center gap-2">
            <svg aria-hidden width="34" height="8" className={style.className}>
              <line
                x1="0"
                y1="4"
                x2="34"
                y2="4"
                stroke="currentColor"
                strokeWidth={style.width}
                strokeDasharray={style.dash}
                strokeLinecap={kind === 'reconciliation' ? 'round' : 'butt'}
              />
            </svg>
            {style.label}
          </li>
        );
      })}
    </ul>
  );
}
