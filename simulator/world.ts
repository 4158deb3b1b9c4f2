/** Everything the parts of the simulated cloud share. What belongs here: the bundle's type, nothing that acts. */
import type { Jobs } from '@/simulator/cloudstack/jobs';
import type { Clock } from '@/simulator/core/clock';
import type { Faults, Gates } from '@/simulator/core/faults';
import type { Ledger, Origin } from '@/simulator/core/ledger';
import type { Tag } from '@/simulator/core/model';
import type { Random } from '@/simulator/core/random';
import type { Records } from '@/simulator/core/records';
import type { Clusters } from '@/simulator/kubernetes/clusters';
import type { Edges } from '@/simulator/kubernetes/edges';
import type { Settings } from './settings';

export interface World {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly records: Records;
  readonly ledger: Ledger;
  readonly faults: Faults;
  readonly gates: Gates;
  readonly random: Random;
  readonly jobs: Jobs;
  readonly clusters: Clusters;
  readonly edges: Edges;
  /** The address under which the CloudStack API listens, known once it does. */
  apiUrl: string;
  tagsOf(resourceId: string): Tag[];
  /** Says that machines, addresses or rules changed: listeners and clusters look again. */
  changed(): void;
  effect(what: string, origin: Origin, details: Record<string, string | number | boolean | null>): void;
  /** An error nobody expected: noted, never fatal. */
  unexpected(error: unknown): void;
}
