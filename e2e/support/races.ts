/**
 * Two operations asked of two servers at the same moment: exactly one enters, the other is told who won and leaves nothing but its
 * refusal. For specs and for `npm run races`. The clusters are real ones, and every winner runs to its end.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type OperationKind, operations } from '@/domain/operations';
import type { ClusterState } from '@/domain/states';
import { type Answer, type Api, catalogueOf, versionsOf } from './api';
import { addNetwork, attachMachine } from './cloudstack';
import type { Records } from './records';
import type { LedgerEntry, SimulatorClient } from './simulator-client';

export type RacingKind = Exclude<OperationKind, 'create' | 'recover'>;

export interface Pair {
  readonly kinds: readonly [RacingKind, RacingKind];
  /** Where both are allowed. */
  readonly from: Extract<ClusterState, 'Running' | 'Stopped' | 'Alert'>;
}

const whileRunning = ['stop', 'scale', 'autoscale', 'upgrade', 'add-nodes', 'remove-nodes', 'delete'] as const;
const besidesStart = ['start', 'stop', 'scale', 'autoscale', 'add-nodes', 'remove-nodes', 'delete'] as const;

/**
 * All pairs of the eight operations, each with itself too, in a state that allows both. A start and an upgrade have none: an upgrade
 * needs Running, where nothing is to be started. Deletes come last, because they use up a cluster.
 */
export const allPairs: readonly Pair[] = [
  ...whileRunning.flatMap((first, index) =>
    whileRunning.slice(index).map((second): Pair => ({ kinds: [first, second], from: 'Running' })),
  ),
  ...besidesStart.map(
    (second): Pair => ({
      kinds: ['start', second],
      from: second === 'start' || second === 'delete' ? 'Stopped' : 'Alert',
    }),
  ),
];

export interface Surroundings {
  readonly records: Records;
  readonly simulator: SimulatorClient;
  /** Of two servers. */
  readonly apis: readonly [Api, Api];
  readonly environment: Readonly<Record<string, string>>;
}

export interface Round {
  readonly pair: Pair;
  readonly clusterId: string;
  /** Which of the two entered. */
  readonly entered: 0 | 1;
  readonly loserCode: string;
  /** How far apart the two requests left. */
  readonly apartMs: number;
}

/** Runs one race on this cluster, which rests in the pair's state. Throws with everything that was seen when a promise is broken. */
export async function race(around: Surroundings, clusterId: string, pair: Pair, apartMs: number): Promise<Round> {
  const { records, simulator, apis } = around;
  const inputs = await Promise.all(pair.kinds.map((kind) => inputOf(around, clusterId, kind)));
  const [before, sinceEvent, { lastSequence }] = await Promise.all([
    records.cluster(clusterId),
    records.lastEventId(),
    simulator.ledger(Number.MAX_SAFE_INTEGER),
  ]);
  const answers = await Promise.all(
    pair.kinds.map(async (kind, index): Promise<Answer> => {
      if (index === 1) await sleep(apartMs);
      const api = apis[index as 0 | 1];
      return api.operate(kind, clusterId, inputs[index]);
    }),
  );
  const told = { pair, before, answers };
  const check = (isFine: boolean, promise: string) => {
    if (!isFine) throw new Error(`${promise}: ${JSON.stringify(told, null, 1)}`);
  };
  const entered = answers.findIndex((answer) => answer.ok && !answer.value.waiting);
  const other = entered === 0 ? 1 : 0;
  const won = answers[entered];
  const lost = answers[other];
  check(won?.ok === true && lost !== undefined, 'exactly one enters');
  if (won?.ok !== true || lost === undefined) throw new Error('unreachable');
  const winner = pair.kinds[entered as 0 | 1];
  const loser = pair.kinds[other];
  const loserCode = lost.ok ? 'waits' : lost.refusal.code;
  if (lost.ok) {
    // OUT-1 closed: a stop that comes second to a start waits, and takes over.
    check(lost.value.waiting && winner === 'start' && loser === 'stop', 'only a stop waits for a start');
  } else {
    check(lost.status === 409, 'the loser is answered 409');
    const holder = 'holder' in lost.refusal ? lost.refusal.holder : null;
    check(holder?.jobId === won.value.jobId && holder.kind === winner, 'the refusal names the winner');
    check(lost.refusal.message.includes(operations[winner].label), 'its words name the winner');
  }
  await records.untilJobEnds(won.value.jobId, 60_000);
  if (lost.ok) await records.untilJobEnds(lost.value.jobId, 60_000);
  await left(around, { clusterId, sinceEvent, lastSequence, won: won.value.jobId, lost, loser, check });
  return { pair, clusterId, entered: entered === 0 ? 0 : 1, loserCode, apartMs };
}

interface Left {
  readonly clusterId: string;
  readonly sinceEvent: number;
  readonly lastSequence: number;
  readonly won: string;
  readonly lost: Answer;
  readonly loser: RacingKind;
  readonly check: (isFine: boolean, promise: string) => void;
}

/** The loser left its refusal's event, and nothing else: no job, no change of state, no call to the cloud. */
async function left({ records, simulator }: Surroundings, seen: Left): Promise<void> {
  const { clusterId, sinceEvent, lastSequence, won, lost, loser, check } = seen;
  const [jobs, events, ledger] = await Promise.all([
    records.sql<{ id: string; kind: string }[]>`
      select id, kind from jobs j where cluster_id = ${clusterId} and kind <> 'recover'
        and accepted_at >= (select accepted_at from jobs where id = ${won})`,
    records.events(clusterId, sinceEvent),
    simulator.ledger(lastSequence),
  ]);
  const own = [won, ...(lost.ok ? [lost.value.jobId] : [])];
  check(
    jobs.every(({ id }) => own.includes(id)),
    `the loser made no job (${JSON.stringify(jobs)})`,
  );
  const refused = events.filter(({ type }) => type === 'operation.refused');
  check(refused.length === (lost.ok ? 0 : 1), `one refusal event (${JSON.stringify(refused)})`);
  const words = operations[loser].label;
  check(lost.ok || refused[0]?.summary.startsWith(`${words} of`) === true, 'the refusal event is the loser’s');
  const stray = ledger.entries.filter((entry) => isChange(entry) && isOf(entry, clusterId) && !isBy(entry, own));
  check(stray.length === 0, `no call to the cloud (${JSON.stringify(stray.slice(0, 3))})`);
}

/**
 * Reads change nothing: checks before acceptance, passes and pages may ask the cloud whatever they like. Calls to a cluster's own
 * Kubernetes API (`PATCH /api/…`) do not say whose they are; they need a job's plan, and the loser has none.
 */
function isChange({ kind, what }: LedgerEntry): boolean {
  return kind === 'call' && !/^(list|get|query)|\//i.test(what);
}

/** Calls without an operation are nobody's, so they count as this cluster's: nothing in the product may change the cloud so. */
function isOf(entry: LedgerEntry, clusterId: string): boolean {
  return entry.operation === null || JSON.stringify(entry.details).includes(clusterId);
}

const isBy = ({ operation }: LedgerEntry, jobIds: readonly string[]) =>
  operation !== null && jobIds.some((id) => operation.startsWith(`${id}/`));

/** What is asked, so that it would change something and be accepted if it came alone. */
async function inputOf(around: Surroundings, clusterId: string, kind: RacingKind): Promise<Record<string, unknown>> {
  const { records } = around;
  const [row] = await records.sql<
    { workers: number; own: number; autoscale: boolean; version: string; network: string }[]
  >`
    select worker_count as workers, (select count(*)::int from nodes n where n.cluster_id = c.id and n.role = 'worker' and not n.external) as own,
      autoscale_enabled as autoscale, v.version, network_id as network
    from clusters c join kubernetes_versions v on v.id = c.kubernetes_version_id where c.id = ${clusterId}`;
  if (row === undefined) throw new Error(`there is no cluster ${clusterId}`);
  switch (kind) {
    case 'scale':
      // One worker of Holdfast's own always stays, so that every added node may be removed.
      return { workerCount: row.own > 1 ? row.workers - 1 : row.workers + 1 };
    case 'autoscale':
      return row.autoscale ? { enabled: false } : { enabled: true, minSize: 1, maxSize: 3 };
    case 'upgrade': {
      const versions = await versionsOf(records);
      const next = versions[versions.findIndex(({ version }) => version === row.version) + 1];
      return { kubernetesVersionId: next?.id };
    }
    case 'add-nodes':
      return {
        machineIds: [await attachMachine(around, row.network, await catalogueOf(records))],
        wipeConfirmed: true,
      };
    case 'remove-nodes': {
      const [node] = await records.sql<
        { id: string }[]
      >`select id from nodes where cluster_id = ${clusterId} and external limit 1`;
      return { nodeIds: [node?.id] };
    }
    default:
      return {};
  }
}

/** Brings clusters into the state that the next pair needs, and makes a new one when a delete has used one up. */
export class Racecourse {
  readonly #around: Surroundings;
  readonly #name: (what: string) => string;
  #clusterId: string | undefined;
  #networkId: string | undefined;

  constructor(around: Surroundings, freshName: (what: string) => string) {
    this.#around = around;
    this.#name = freshName;
  }

  async run(pair: Pair, apartMs: number): Promise<Round> {
    const clusterId = await this.#prepare(pair);
    return race(this.#around, clusterId, pair, apartMs);
  }

  async #prepare(pair: Pair): Promise<string> {
    const { records, simulator, apis } = this.#around;
    const [api] = apis;
    const id = await this.#cluster(pair);
    if (pair.kinds.includes('remove-nodes')) await this.#withAddedNode(id);
    if (pair.kinds.includes('autoscale') || pair.kinds.includes('scale')) await this.#withoutAutoscaling(id, pair);
    const { state } = await records.cluster(id);
    if (state === pair.from) return id;
    if (pair.from === 'Stopped') {
      await api.operateAccepted('stop', id);
      await records.untilRests(id, 'Stopped', 60_000);
      return id;
    }
    // Alert: a stop that the cloud refuses. Cron stands still meanwhile, or the next pass would find it healthy.
    const fault = await simulator.addFault({
      match: { command: 'stopVirtualMachine', cluster: id },
      action: { kind: 'refuse', code: 530 },
      times: null,
    });
    await api.operateAccepted('stop', id);
    await records.untilRests(id, 'Alert', 60_000);
    await simulator.removeFault(fault.id);
    return id;
  }

  /** A cluster that rests in Running. */
  async #cluster(pair: Pair): Promise<string> {
    const { records, apis } = this.#around;
    const present = this.#clusterId === undefined ? undefined : await this.#revive(this.#clusterId);
    if (present !== undefined && (!pair.kinds.includes('upgrade') || (await this.#hasNewerVersion(present))))
      return present;
    if (present !== undefined) {
      const { jobId } = await apis[0].operateAccepted('delete', present);
      await records.untilJobEnds(jobId, 60_000);
    }
    const catalogue = await catalogueOf(records);
    const versions = await versionsOf(records);
    this.#networkId ??= await addNetwork(this.#around, this.#name('race-net'), catalogue);
    const first = versions.find(({ version }) => version === '1.30.8');
    const made = await apis[0].createAccepted(this.#name('race'), {
      networkId: this.#networkId,
      networkOfferingId: null,
      kubernetesVersionId: first?.id,
    });
    this.#clusterId = made.clusterId;
    await records.untilRests(made.clusterId, 'Running', 60_000);
    return made.clusterId;
  }

  /** Whatever the last race did, it runs again; undefined when it is gone. */
  async #revive(id: string): Promise<string | undefined> {
    const { records, apis } = this.#around;
    const { state } = await records.untilCluster(id, 'is held by nobody', (row) => row.operationId === null, 60_000);
    if (state === 'Destroyed' || state === 'Destroying') {
      await records.untilRests(id, 'Destroyed', 60_000);
      return undefined;
    }
    if (state !== 'Running') await apis[0].operate('start', id);
    await records.untilRests(id, 'Running', 60_000);
    return id;
  }

  async #hasNewerVersion(id: string): Promise<boolean> {
    const [row] = await this.#around.records.sql<{ version: string }[]>`
      select v.version from clusters c join kubernetes_versions v on v.id = c.kubernetes_version_id where c.id = ${id}`;
    return row !== undefined && ['1.30.8', '1.31.1'].includes(row.version);
  }

  async #withAddedNode(id: string): Promise<void> {
    const { records, apis } = this.#around;
    const [node] = await records.sql`select 1 from nodes where cluster_id = ${id} and external and stage = 'ready'`;
    if (node !== undefined) return;
    await apis[0].operateAccepted('add-nodes', id, await inputOf(this.#around, id, 'add-nodes'));
    await records.untilRests(id, 'Running', 60_000);
  }

  /** The autoscaler decides the size while it is on, and a scale is refused before any race. */
  async #withoutAutoscaling(id: string, pair: Pair): Promise<void> {
    const { records, apis } = this.#around;
    const [row] = await records.sql<{ on: boolean }[]>`select autoscale_enabled as "on" from clusters where id = ${id}`;
    if (row?.on !== true || !pair.kinds.includes('scale')) return;
    await apis[0].operateAccepted('autoscale', id, { enabled: false });
    await records.untilRests(id, 'Running', 60_000);
  }
}
