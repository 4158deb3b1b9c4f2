'use client';
import { Network } from 'lucide-react';
import { Badge } from '@/components/ui/badge';
import type { Tone } from '@/components/ui/class-names';
import { EmptyState } from '@/components/ui/states';
import { Cell, HeadCell, RowHeadCell, Table, TableBody, TableHead, TableRow } from '@/components/ui/table';
import { Time } from '@/components/ui/time';
import type { ClusterDetail, NodeView } from '@/db/queries/cluster-dto';
import type { NodeStage } from '@/domain/nodes';

const stages: Readonly<Record<NodeStage, { tone: Tone; label: string; meaning: string }>> = {
  planned: { tone: 'neutral', label: 'Planned', meaning: 'Recorded; its machine may not exist yet.' },
  built: { tone: 'info', label: 'Built', meaning: 'Its machine exists; it has not been seen Ready.' },
  ready: { tone: 'success', label: 'Ready', meaning: 'Seen Ready by the Kubernetes API.' },
  removing: { tone: 'warning', label: 'Removing', meaning: 'Is being taken away.' },
};

export function NodesTable({ cluster }: { cluster: ClusterDetail }) {
  if (cluster.nodeList.length === 0) {
    return (
      <EmptyState
        icon={Network}
        title="No nodes"
        text={cluster.state === 'Created' ? 'They are recorded when the cluster is started.' : undefined}
      />
    );
  }
  return (
    <Table caption={`Nodes of ${cluster.name}`}>
      <TableHead>
        <HeadCell>Node</HeadCell>
        <HeadCell>Role</HeadCell>
        <HeadCell>Stage</HeadCell>
        <HeadCell>Version</HeadCell>
        <HeadCell>Address</HeadCell>
        <HeadCell>Offering</HeadCell>
        <HeadCell>Ready since</HeadCell>
      </TableHead>
      <TableBody>
        {cluster.nodeList.map((node) => (
          <NodeRow key={node.id} node={node} cluster={cluster} />
        ))}
      </TableBody>
    </Table>
  );
}

function NodeRow({ node, cluster }: { node: NodeView; cluster: ClusterDetail }) {
  const stage = stages[node.stage];
  const isOther = node.version !== null && node.version !== cluster.version;
  return (
    <TableRow>
      <RowHeadCell>
        <p className="flex flex-wrap items-center gap-1.5 font-medium">
          {node.role}-{node.ordinal}
          {node.external ? <Badge title="An existing machine that was added.">added</Badge> : null}
          {node.manualUpgrade ? <Badge title="Upgrades leave it to you.">upgraded by hand</Badge> : null}
        </p>
        <p className="font-mono text-xs break-all text-faint">{node.name}</p>
      </RowHeadCell>
      <Cell label="Role" onPhone="hidden">
        {node.role}
      </Cell>
      <Cell label="Stage">
        <Badge tone={stage.tone} title={stage.meaning}>
          {stage.label}
        </Badge>
      </Cell>
      <Cell label="Version">
        {node.version ?? <span className="text-faint">–</span>}
        {isOther ? <span className="ml-1 text-xs text-warning">differs</span> : null}
      </Cell>
      <Cell label="Address" className="font-mono text-xs">
        {node.ip ?? <span className="text-faint">–</span>}
      </Cell>
      <Cell label="Offering">{cluster.offeringNames[node.offeringId] ?? node.offeringId}</Cell>
      <Cell label="Ready since" className="text-soft">
        {node.readyAt === null ? <span className="text-faint">–</span> : <Time value={node.readyAt} />}
      </Cell>
    </TableRow>
  );
}
