/*
 * components/clusters — the list of clusters, the page of one, and the forms of their operations.
 */
import {
  CircleCheck,
  CircleDashed,
  CirclePause,
  CircleSlash,
  CircleX,
  LoaderCircle,
  type LucideIcon,
  RotateCw,
  Trash2,
  TriangleAlert,
} from 'lucide-react';
import { Badge } from '@/components/ui/badge';
import type { Tone } from '@/components/ui/class-names';
import { type ClusterState, stateLabels, stateMeanings } from '@/domain/states';

interface StateLook {
  readonly tone: Tone;
  readonly icon: LucideIcon;
}

const working: StateLook = { tone: 'info', icon: LoaderCircle };

export const stateLooks: Readonly<Record<ClusterState, StateLook>> = {
  Created: { tone: 'neutral', icon: CircleDashed },
  Starting: working,
  Running: { tone: 'success', icon: CircleCheck },
  Stopping: working,
  Stopped: { tone: 'neutral', icon: CirclePause },
  Scaling: working,
  ScalingStoppedCluster: working,
  Upgrading: working,
  Importing: working,
  RemovingNodes: working,
  Alert: { tone: 'warning', icon: TriangleAlert },
  Recovering: { tone: 'violet', icon: RotateCw },
  Destroying: { tone: 'danger', icon: Trash2 },
  Destroyed: { tone: 'neutral', icon: CircleSlash },
  Error: { tone: 'danger', icon: CircleX },
};

/** A cluster's state as text, icon and colour; its title says what it means and the name in the API. */
export function StateBadge({ state, isStill = false }: { state: ClusterState; isStill?: boolean }) {
  const { tone, icon } = stateLooks[state];
  const isMoving = !isStill && (icon === LoaderCircle || icon === RotateCw);
  return (
    <Badge tone={tone} icon={icon} isActive={isMoving} title={`${stateMeanings[state]} (${state})`}>
      {stateLabels[state]}
    </Badge>
  );
}
