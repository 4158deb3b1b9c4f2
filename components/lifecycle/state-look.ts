/*
 * components/lifecycle — the machine of states: how each looks, the diagram, a cluster's way through it.
 */
import {
  ArrowUpCircle,
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CircleOff,
  CirclePause,
  CircleX,
  HeartPulse,
  ListPlus,
  ListX,
  type LucideIcon,
  Play,
  Scaling,
  Square,
  Trash2,
} from 'lucide-react';
import type { Tone } from '@/components/ui/class-names';
import type { ClusterState } from '@/domain/states';

export interface StateLook {
  readonly tone: Tone;
  readonly icon: LucideIcon;
}

/** Colour groups: at rest and well, at rest and off, in an operation, in need of somebody, going away. */
export const stateLooks: Readonly<Record<ClusterState, StateLook>> = {
  Created: { tone: 'neutral', icon: CircleDashed },
  Starting: { tone: 'info', icon: Play },
  Running: { tone: 'success', icon: CircleCheck },
  Stopping: { tone: 'info', icon: Square },
  Stopped: { tone: 'neutral', icon: CirclePause },
  Scaling: { tone: 'info', icon: Scaling },
  ScalingStoppedCluster: { tone: 'info', icon: Scaling },
  Upgrading: { tone: 'info', icon: ArrowUpCircle },
  Importing: { tone: 'info', icon: ListPlus },
  RemovingNodes: { tone: 'info', icon: ListX },
  Alert: { tone: 'warning', icon: CircleAlert },
  Recovering: { tone: 'violet', icon: HeartPulse },
  Destroying: { tone: 'violet', icon: Trash2 },
  Destroyed: { tone: 'neutral', icon: CircleOff },
  Error: { tone: 'danger', icon: CircleX },
};
