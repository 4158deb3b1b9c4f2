/** The states an operation leads through, out of the machine's table. Pure. */
import type { OperationChoice } from '@/db/queries/cluster-dto';
import { operations } from '@/domain/operations';
import { type ClusterState, isOperationState } from '@/domain/states';
import { nextState } from '@/domain/transitions';

export interface Path {
  readonly path: readonly ClusterState[];
  readonly failedTo: ClusterState | null;
}

export function pathOf(state: ClusterState, choice: OperationChoice): Path {
  switch (choice.verdict) {
    case 'enter': {
      const held = choice.to ?? state;
      const done = nextState(held, 'OperationSucceeded');
      const path = done === undefined ? [state, held] : [state, held, done];
      return {
        path,
        failedTo: isOperationState(held) ? (nextState(held, operations[choice.kind].failed) ?? null) : null,
      };
    }
    case 'wait':
      return { path: [state, 'Stopping', 'Stopped'], failedTo: 'Alert' };
    case 'go-ahead':
      return { path: choice.kind === 'delete' ? [state, 'Destroyed'] : [state], failedTo: null };
    case 'settings':
    case null:
      return { path: [state], failedTo: null };
  }
}
