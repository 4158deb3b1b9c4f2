'use client';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { routes } from '@/components/routes';
import { Button, ButtonLink } from '@/components/ui/button';
import { Panel } from '@/components/ui/panel';
import { FailedState } from '@/components/ui/states';
import type { ClusterState } from '@/domain/states';
import { Legend, ZoomButtons } from './diagram-controls';
import { clusterPathQuery } from './lifecycle-queries';
import { MachineDiagram } from './machine-diagram';
import type { EdgeKey } from './machine-layout';
import { PathPlayer } from './path-player';
import { StatePanel } from './state-panel';

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
