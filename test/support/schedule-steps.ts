import fc from 'fast-check';
import type { ClusterState } from '@/domain/states';

/** Where a schedule may begin: at rest, free. */
export const beginnings: readonly ClusterState[] = ['Stopped', 'Created', 'Running', 'Alert', 'Error', 'Destroying'];
export const foreignStates: readonly ClusterState[] = ['Running', 'Stopped', 'Alert', 'Scaling', 'Upgrading'];

/** Numbers choose among what there is by then: the cluster as it is now and the newest hold (0), or something older. */
export type Command =
  | { readonly act: 'fail jobs' }
  | { readonly act: 'enter'; readonly read: number; readonly kind: number; readonly server: number }
  | { readonly act: 'write' | 'withdraw'; readonly which: number }
  | { readonly act: 'end'; readonly which: number; readonly well: boolean }
  | {
      readonly act: 'pass' | 'recover' | 'end by admin' | 'queue stop' | 'drift';
      readonly read: number;
      readonly server: number;
    }
  | { readonly act: 'foreign write'; readonly to: number }
  | { readonly act: 'depart' | 'beat'; readonly server: number };

const recent = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(5) });
/** 0 to 2: a server that is up; 3: the last that departed. For a departure, 3: the one that runs the owner. */
const server = fc.oneof({ weight: 6, arbitrary: fc.nat(2) }, { weight: 1, arbitrary: fc.constant(3) });
const victim = fc.oneof(fc.nat(2), fc.constant(3));
export const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 9, arbitrary: fc.record({ act: fc.constant('enter' as const), read: recent, kind: fc.nat(), server }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('write' as const), which: recent }) },
  { weight: 4, arbitrary: fc.record({ act: fc.constant('end' as const), which: recent, well: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('recover' as const), read: recent, server }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('end by admin' as const), read: recent, server }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('queue stop' as const), read: recent, server }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('withdraw' as const), which: recent }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('drift' as const), read: recent, server }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('foreign write' as const), to: fc.nat() }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('depart' as const), server: victim }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('fail jobs' as const) }) },
  { weight: 4, arbitrary: fc.record({ act: fc.constant('pass' as const), read: fc.constant(0), server }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('beat' as const), server }) },
);
