import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { operationKinds } from '@/domain/operations';
import { failureTarget } from '@/domain/orphans';
import type { ClusterState } from '@/domain/states';
import { nextState } from '@/domain/transitions';
import { adminEnd, endWith, failed, recover, recovery, succeeded } from '@/test/support/acts';
import {
  ben,
  departNow,
  type FixtureCluster,
  insertCluster,
  insertServer,
  newEntry,
  newJob,
} from '@/test/support/fixtures';
import { violations } from '@/test/support/invariants';
import { failureEventOf, type ModelHold, type ModelRead, OwnershipModel } from '@/test/support/ownership-model';
import { clusterRow } from '@/test/support/reads';
import { scratchDatabase } from '@/test/support/scratch';
import { type Hold, whileHeld } from './holds';
import { failJobsOfDeparted } from './jobs';
import { enterOperation, queueStop, type Recovered, withdrawStop } from './ownership';
import { prepareBeat } from './servers';
import { logLine } from './steps';
import { drift } from './transition';

const scratch = scratchDatabase();

const rest: readonly ClusterState[] = ['Created', 'Running', 'Stopped', 'Alert', 'Error', 'Destroying'];
const foreignStates: readonly ClusterState[] = ['Running', 'Stopped', 'Alert', 'Scaling', 'Upgrading'];

/** Numbers choose among what there is by then: the newest read and hold (0), or an older one. */
type Command =
  | { readonly act: 'read' | 'fail jobs' }
  | { readonly act: 'enter'; readonly read: number; readonly kind: number; readonly server: number }
  | { readonly act: 'write' | 'withdraw'; readonly which: number }
  | { readonly act: 'end'; readonly which: number; readonly well: boolean }
  | {
      readonly act: 'recover' | 'end by admin' | 'queue stop' | 'drift';
      readonly read: number;
      readonly server: number;
    }
  | { readonly act: 'foreign write'; readonly to: number }
  | { readonly act: 'depart' | 'beat'; readonly server: number };

const recent = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(5) });
const server = fc.nat(2);
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ act: fc.constant('read' as const) }) },
  { weight: 6, arbitrary: fc.record({ act: fc.constant('enter' as const), read: recent, kind: fc.nat(), server }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('write' as const), which: recent }) },
  { weight: 4, arbitrary: fc.record({ act: fc.constant('end' as const), which: recent, well: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ act: fc.constant('recover' as const), read: recent, server }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('end by admin' as const), read: recent, server }) },
  { weight: 4, arbitrary: fc.record({ act: fc.constant('queue stop' as const), read: recent, server }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('withdraw' as const), which: recent }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('drift' as const), read: recent, server }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('foreign write' as const), to: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('depart' as const), server }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('fail jobs' as const) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('beat' as const), server }) },
);

/** How often each answer was given, over all runs: a situation that never came about was not tested. */
const seen = new Map<string, number>();

class Schedule {
  private readonly reads: ModelRead[] = [];
  private readonly holds: ModelHold[] = [];
  private readonly stops: string[] = [];

  constructor(
    readonly cluster: FixtureCluster,
    readonly model: OwnershipModel,
    readonly servers: readonly string[],
  ) {
    this.reads.push(model.read());
  }

  /** Does it to PostgreSQL and to the model, and holds the answers and the cluster against each other. */
  async run(each: Command): Promise<void> {
    const [answer, expected] = await this.act(each);
    expect(answer, each.act).toEqual(expected);
    seen.set(`${each.act}: ${String(answer)}`, (seen.get(`${each.act}: ${String(answer)}`) ?? 0) + 1);
    const row = await clusterRow(scratch.sql, this.cluster.id);
    const found = {
      state: row.state,
      seq: Number(row.operation_seq),
      owner: row.operation_id,
      next: row.next_operation_id,
    };
    expect(found, `after ${each.act}`).toEqual(this.model.read());
  }

  /** Everybody dies; a new server looks once: nobody may be left in between (I12). */
  async settle(): Promise<void> {
    for (const id of this.servers) await this.depart(id);
    await this.failJobs();
    const pass = await insertServer(scratch.sql);
    const read = this.model.read();
    if (this.model.recover({ ...read }, pass) !== null) {
      const answer = await recover(scratch.db, recovery(this.at(read), pass, this.recoveryOf(read)));
      expect(answer.kind).not.toBe('missed');
    }
    const jobs = await scratch.sql<
      { id: string; status: string }[]
    >`select id, status::text as status from jobs where cluster_id = ${this.cluster.id}`;
    const expected = [...this.model.jobs].map(([id, job]) => ({ id, status: job.status }));
    expect([...jobs].sort(byId)).toEqual(expected.sort(byId));
    expect(this.model.owner === null || this.model.state === 'Stopping', 'settled').toBe(true);
  }

  private async act(each: Command): Promise<readonly [unknown, unknown]> {
    switch (each.act) {
      case 'read':
        this.reads.unshift(this.model.read());
        return [null, null];
      case 'enter':
        return this.enter(each.read, each.kind, each.server);
      case 'write':
        return this.write(each.which);
      case 'end':
        return this.end(each.which, each.well);
      case 'recover':
      case 'end by admin':
        return this.free(each.act, pick(this.reads, each.read), pick(this.servers, each.server));
      case 'queue stop': {
        const read = pick(this.reads, each.read);
        const stop = newJob(this.cluster.id, 'stop');
        this.stops.unshift(stop.id);
        return [
          await queueStop(scratch.db, this.at(read).asRead, this.cluster.name, stop),
          this.model.queueStop(read, stop.id),
        ];
      }
      case 'withdraw': {
        const stop = this.stops[each.which] ?? randomUUID();
        return [await withdrawStop(scratch.db, this.cluster.id, stop, ben), this.model.withdraw(stop)];
      }
      case 'drift':
        return this.drift(pick(this.reads, each.read));
      case 'foreign write': {
        const to = pick(foreignStates, each.to % foreignStates.length);
        if (this.model.state === 'Destroyed') return [null, null];
        await scratch.sql`update clusters set state = ${to} where id = ${this.cluster.id}`;
        this.model.foreignWrite(to);
        return [null, null];
      }
      case 'depart':
        await this.depart(pick(this.servers, each.server));
        return [null, null];
      case 'fail jobs':
        await this.failJobs();
        return [null, null];
      case 'beat': {
        const id = pick(this.servers, each.server);
        return [await prepareBeat(scratch.db, 8000)(id), this.model.departed.has(id) ? 'gone' : 'up'];
      }
    }
  }

  private async enter(which: number, kindNumber: number, serverNumber: number): Promise<readonly [unknown, unknown]> {
    const read = pick(this.reads, which);
    const kind = pick(operationKinds, kindNumber % operationKinds.length);
    const serverId = pick(this.servers, serverNumber);
    const job = newJob(this.cluster.id, kind);
    const expected = this.model.enter(read, kind, job.id, serverId);
    if (expected === null) return [null, null];
    const entry = newEntry(this.at(read), kind, serverId, { job });
    const hold = await enterOperation(scratch.db, {
      ...entry,
      failureEvent: entry.move === null ? null : failureEventOf(kind, read.state),
    });
    if (hold !== undefined) this.holds.unshift({ job: hold.jobId, token: hold.token, server: serverId });
    return [hold !== undefined, expected];
  }

  private async write(which: number): Promise<readonly [unknown, unknown]> {
    const hold = this.holds[which];
    if (hold === undefined) return [null, null];
    const text = `line ${randomUUID()}`;
    const written = await whileHeld(scratch.db, this.hold(hold), (tx) =>
      logLine(tx, hold.job, { step: null, level: 'info', text }),
    );
    return [written.held, this.model.holds(hold)];
  }

  private async end(which: number, well: boolean): Promise<readonly [unknown, unknown]> {
    const hold = this.holds[which];
    if (hold === undefined) return [null, null];
    const ending = well ? succeeded('start') : failed('start');
    const wanted = ending.event ?? 'OperationFailed';
    const event = nextState(this.model.state, wanted) === undefined ? null : wanted;
    const expected = this.model.end(hold, well ? 'succeeded' : 'failed', event);
    const ended = await endWith(scratch.db, this.hold(hold), { ...ending, event });
    if (ended.kind === 'handed-over')
      this.holds.unshift({ job: ended.next.jobId, token: ended.next.token, server: ended.next.serverId });
    return [ended.kind, expected];
  }

  private async free(
    act: 'recover' | 'end by admin',
    read: ModelRead,
    serverId: string,
  ): Promise<readonly [unknown, unknown]> {
    const more = this.recoveryOf(read);
    const expected = act === 'recover' ? this.model.recover(read, serverId) : this.model.endByAdmin(read, serverId);
    if (expected === null) return [null, null];
    const at = this.at(read);
    const hold = { clusterId: this.cluster.id, jobId: read.owner ?? '', token: read.seq, serverId };
    const answer: Recovered = await recover(
      scratch.db,
      act === 'recover' ? recovery(at, serverId, more) : adminEnd(at, hold, serverId, more),
    );
    if (answer.kind === 'stop-took-over')
      this.holds.unshift({ job: answer.next.jobId, token: answer.next.token, server: serverId });
    return [answer.kind, expected];
  }

  private async drift(read: ModelRead): Promise<readonly [unknown, unknown]> {
    const to = nextState(read.state, 'FaultsDetected');
    const expected = this.model.drift(read);
    if (expected === null || to === undefined) return [null, null];
    const attention = {
      code: 'drift-machines',
      text: 'a machine is stopped',
      jobId: null,
      at: '2026-01-01T00:00:00Z',
    } as const;
    const moved = await scratch.db.transaction((tx) =>
      drift(
        tx,
        this.at(read).asRead,
        { to, event: 'FaultsDetected', cause: 'drift', jobId: null, serverId: null },
        attention,
      ),
    );
    return [moved !== undefined, expected];
  }

  private async depart(id: string): Promise<void> {
    await departNow(scratch.sql, id);
    this.model.departed.add(id);
  }

  private async failJobs(): Promise<void> {
    await scratch.db.transaction((tx) => failJobsOfDeparted(tx, 1));
    this.model.failJobsOfDeparted();
  }

  /** As a pass decides: from the owner's stored event. */
  private recoveryOf(read: ModelRead) {
    const event = (read.owner === null ? null : this.model.jobs.get(read.owner)?.failureEvent) ?? 'OperationFailed';
    return { waitingStopId: read.next, becomes: failureTarget(read.state, event), event };
  }

  private at(read: ModelRead): FixtureCluster {
    return {
      ...this.cluster,
      asRead: { clusterId: this.cluster.id, state: read.state, operationId: read.owner, operationSeq: read.seq },
    };
  }

  private hold(hold: ModelHold): Hold {
    return { clusterId: this.cluster.id, jobId: hold.job, token: hold.token, serverId: hold.server };
  }
}

test('HOLD-1 HOLD-2 REC-7 OUT-5 in any order of anything, who must win wins, and every invariant holds', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...rest),
      fc.array(command, { minLength: 6, maxLength: 30, size: 'max' }),
      async (state, commands) => {
        const cluster = await insertCluster(scratch.sql, { state });
        const servers = await Promise.all([
          insertServer(scratch.sql),
          insertServer(scratch.sql),
          insertServer(scratch.sql),
        ]);
        const schedule = new Schedule(cluster, new OwnershipModel(state), servers);
        for (const each of commands) await schedule.run(each);
        await schedule.settle();
        expect(await violations(scratch.sql)).toEqual([]);
        await scratch.sql`delete from clusters where id = ${cluster.id}`;
      },
    ),
    { numRuns: Number(process.env['HOLDFAST_TEST_RUNS'] ?? 300) },
  );
  const answers = [
    'enter: true',
    'enter: false',
    'write: true',
    'write: false',
    'end: ended',
    'end: lost',
    'end: handed-over',
    'recover: recovered',
  ];
  const more = [
    'recover: missed',
    'recover: stop-took-over',
    'end by admin: recovered',
    'end by admin: missed',
    'queue stop: true',
    'withdraw: true',
  ];
  expect([...answers, ...more].filter((answer) => !seen.has(answer))).toEqual([]);
}, 60_000);

function pick<T>(from: readonly T[], index: number): T {
  const picked = from[Math.min(index, from.length - 1)];
  if (picked === undefined) throw new Error('nothing to pick from');
  return picked;
}

function byId(a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? -1 : 1;
}
