'use client';
import { LockKeyhole } from 'lucide-react';
import { useEffect } from 'react';
import { StateBadge } from '@/components/lifecycle/state-badge';
import { routes } from '@/components/routes';
import { CrumbLabel } from '@/components/shell/breadcrumb';
import { ButtonLink } from '@/components/ui/button';
import { Copyable } from '@/components/ui/copyable';
import { Flash } from '@/components/ui/flash';
import { TabLinks } from '@/components/ui/tabs';
import { Elapsed } from '@/components/ui/time';
import type { ClusterDetail, OperationChoice } from '@/db/queries/cluster-dto';
import { type OperationKind, operations } from '@/domain/operations';
import { stateLabels } from '@/domain/states';
import { KubeconfigButton } from './kubeconfig-button';
import { operationIcons } from './operation-look';
import { OperationMenu } from './operation-menu';
import { useCluster } from './use-cluster';

/** Name, state, size and what can be asked; stays in sight while the page scrolls. */
export function ClusterHeader({ id }: { id: string }) {
  const cluster = useCluster(id);
  useEffect(() => {
    const rest = document.title.split(' · ').slice(2).join(' · ');
    document.title = `${cluster.name} · ${stateLabels[cluster.state]} · ${rest}`;
  }, [cluster.name, cluster.state]);
  return (
    <div className="sticky top-13 z-20 -mx-4 -mt-5 border-b border-line bg-canvas/95 px-4 pt-4 backdrop-blur sm:-mx-6 sm:px-6">
      <CrumbLabel segment={id} label={cluster.name} />
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
            <h1 className="text-xl font-semibold tracking-tight break-all">{cluster.name}</h1>
            {cluster.protected ? (
              <LockKeyhole role="img" aria-label="Protected against deletion" className="size-4 text-faint" />
            ) : null}
            <Flash value={cluster.state}>
              <StateBadge state={cluster.state} />
            </Flash>
            <span className="text-sm text-faint">
              <Elapsed since={cluster.stateSince} />
            </span>
          </div>
          <SizeLine cluster={cluster} />
        </div>
        <ActionBar cluster={cluster} />
      </div>
      <div className="mt-1">
        <TabLinks label={`Parts of ${cluster.name}`} tabs={tabsOf(cluster)} />
      </div>
    </div>
  );
}

function tabsOf(cluster: ClusterDetail) {
  return [
    { href: routes.cluster(cluster.id), label: 'Overview' },
    { href: routes.cluster(cluster.id, 'nodes'), label: 'Nodes', count: cluster.nodeList.length },
    { href: routes.cluster(cluster.id, 'jobs'), label: 'Jobs' },
    { href: routes.cluster(cluster.id, 'events'), label: 'Events' },
    { href: routes.cluster(cluster.id, 'lifecycle'), label: 'History' },
    { href: routes.cluster(cluster.id, 'settings'), label: 'Settings' },
  ];
}

function SizeLine({ cluster }: { cluster: ClusterDetail }) {
  const { control, worker, etcd } = cluster.nodes;
  const parts = [
    `Kubernetes ${cluster.version}`,
    `${worker.total} ${worker.total === 1 ? 'worker' : 'workers'}`,
    `${control.total} control`,
    ...(etcd.total === 0 ? [] : [`${etcd.total} etcd`]),
    ...(cluster.autoscale === null
      ? []
      : [
          `autoscales ${cluster.autoscale.min}–${cluster.autoscale.max}${cluster.state === 'Alert' ? ' (paused in Alert)' : ''}`,
        ]),
    cluster.zoneName,
  ];
  return (
    <div className="flex flex-wrap items-center gap-x-2 text-sm text-soft">
      <span>{parts.join(' · ')}</span>
      <Copyable value={cluster.id} shown={cluster.id.slice(0, 8)} label="Copy the id" />
    </div>
  );
}

const inBar: readonly OperationKind[] = ['start', 'stop', 'scale', 'upgrade'];

function ActionBar({ cluster }: { cluster: ClusterDetail }) {
  const choices = cluster.operations.filter((choice) => inBar.includes(choice.kind));
  return (
    <div className="no-print flex flex-wrap items-center gap-1.5">
      {choices.map((choice) => (
        <OperationButton key={choice.kind} clusterId={cluster.id} choice={choice} />
      ))}
      <KubeconfigButton cluster={cluster} />
      <OperationMenu cluster={cluster} isLabelled />
    </div>
  );
}

function OperationButton({ clusterId, choice }: { clusterId: string; choice: OperationChoice }) {
  const Icon = operationIcons[choice.kind];
  const reason = choice.text === null ? undefined : [choice.text, ...choice.also].join(' ');
  return (
    <ButtonLink
      href={routes.operation(clusterId, choice.kind)}
      reason={reason}
      icon={<Icon aria-hidden className="size-3.5" />}
      className="max-sm:hidden"
    >
      {operations[choice.kind].label}
    </ButtonLink>
  );
}
