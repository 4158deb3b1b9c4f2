import {
  ArrowUpCircle,
  CirclePlus,
  Gauge,
  type LucideIcon,
  MinusCircle,
  Play,
  RotateCw,
  Scaling,
  Sparkles,
  Square,
  Trash2,
} from 'lucide-react';
import type { OperationChoice } from '@/db/queries/cluster-dto';
import type { OperationKind } from '@/domain/operations';

export const operationIcons: Readonly<Record<OperationKind, LucideIcon>> = {
  create: Sparkles,
  start: Play,
  stop: Square,
  scale: Scaling,
  autoscale: Gauge,
  upgrade: ArrowUpCircle,
  'add-nodes': CirclePlus,
  'remove-nodes': MinusCircle,
  delete: Trash2,
  recover: RotateCw,
};

/** A word about what an allowed operation does, where its name does not say it. */
export function choiceHint(choice: OperationChoice): string | undefined {
  switch (choice.verdict) {
    case 'wait':
      return 'Waits for the running start, then takes over.';
    case 'go-ahead':
      return choice.kind === 'delete' ? 'Tries the delete again.' : 'Goes ahead; the state stays as it is.';
    case 'settings':
      return 'Changes stored settings only.';
    case 'enter':
    case null:
      return undefined;
  }
}
