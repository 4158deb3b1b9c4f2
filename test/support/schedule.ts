import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { enterOperation } from '@/db/entry';
import { type Hold, whileHeld } from '@/db/holds';
import { failJobsOfDeparted } from '@/db/jobs';
import type { Recovered } from '@/db/orphan-recovery';
import { prepareBeat } from '@/db/servers';
import { logLine } from '@/db/steps';
import { drift } from '@/db/transition';
import { queueStop, withdrawStop } from '@/db/waiting-stop';
import { type OperationKind, operationKinds } from '@/domain/operations';
import { failureTarget } from '@/domain/orphans';
import { byState } from '@/domain/policy';
import type { ClusterState } from '@/domain/states';
import { nextState } from '@/domain/transitions';
import { adminEnd, endWith, failed, recover, recovery, succeeded } from './acts';
import { ben, departNow, type FixtureCluster, insertServer, newEntry, newJob } from './fixtures';
import { failureEventOf, type ModelHold, type ModelRead, OwnershipModel } from './ownership-model';
import { clusterRow } from './reads';
import { type Command, foreignStates } from './schedule-steps';
import type { Scratch } from './scratch';

/** One cluster, three servers, and what has been read and held so far; each step is done to PostgreSQL and to the model. */
export class Schedule {
  private readonly scratch: Scratch;
  private readonly cluster: FixtureCluster;
  /** Those that are up, and the last that departed. */
  private readonly servers: string[];
  private departed: string | null = null;
  private readonly model: OwnershipModel;
  /** How often each answer was given. */
  private readonly seen: Map<string, number>;
  private readonly reads: ModelRead[] = [];
  private readonly holds: ModelHold[] = [];
  private readonly stops: string[] = [];

  constructor(scratch: Scratch, cluster: FixtureCluster, servers: readonly string[], seen: Map<string, number>) {
    this.scratch = scratch;
    this.cluster = cluster;
    this.servers = [...servers];
    this.seen = seen;
    const model = new OwnershipModel(cluster.asRead.state);
    this.model = model;
  }

  /** Does it to PostgreSQL and to the model, and holds the answers and the cluster against each other. */
  async run(each: Command): Promise<void> {
    const [answer, expected] = await this.act(each);
    expect(answer, each.act).toEqual(expected);
    const situation = `${each.act}: ${String(answer)}`;
    this.seen.set(situation, (this.seen.get(situation) ?? 0) + 1);
    const row = await clusterRow(this.scratch.sql, this.cluster.id);
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
    for (const id of this.servers) {
      await departNow(this.scratch.sql, id);
      this.model.departed.add(id);
    }
    await this.failJobs();
    const pass = await insertServer(this.scratch.sql);
    const read = this.model.read();
    if (this.model.recover({ ...read }, pass) !== null) {
      const answer = await recover(this.scratch.db, recovery(this.at(read), pass, this.recoveryOf(read)));
      expect(answer.kind).not.toBe('missed');
    }
    const jobs = await this.scratch.sql<
      { id: string; status: string }[]
    >`select id, status::text as status from jobs where cluster_id = ${this.cluster.id}`;
    const expected = [...this.model.jobs].map(([id, job]) => ({ id, status: job.status }));
    expect([...jobs].sort(byId)).toEqual(expected.sort(byId));
    expect(this.model.owner === null || this.model.state === 'Stopping', 'settled').toBe(true);
  }

  private async act(each: Command): Promise<readonly [unknown, unknown]> {
    switch (each.act) {
      case 'enter':
        return this.enter(each.read, each.kind, each.server);
      case 'write':
        return this.write(each.which);
      case 'end':
        return this.end(each.which, each.well);
      case 'pass':
        await this.failJobs();
        return this.free('recover', this.readBack(each.read), this.server(each.server));
      case 'recover':
      case 'end by admin':
        return this.free(each.act, this.readBack(each.read), this.server(each.server));
      case 'queue stop':
        return this.queueStop(this.readBack(each.read));
      case 'withdraw': {
        const waiting = each.which === 0 ? this.model.next : null;
        const stop = waiting ?? this.stops[each.which] ?? randomUUID();
        return [await withdrawStop(this.scratch.db, this.cluster.id, stop, ben), this.model.withdraw(stop)];
      }
      case 'drift':
        return this.drift(this.readBack(each.read));
      case 'foreign write': {
        const to = pick(foreignStates, each.to % foreignStates.length);
        if (this.model.state === 'Destroyed') return [null, null];
        await this.scratch.sql`update clusters set state = ${to} where id = ${this.cluster.id}`;
        this.model.foreignWrite(to);
        return [null, null];
      }
      case 'depart':
        await this.depart(this.victim(each.server));
        return [null, null];
      case 'fail jobs':
        await this.failJobs();
        return [null, null];
      case 'beat': {
        const id = this.server(each.server);
        return [await prepareBeat(this.scratch.db, 8000)(id), this.model.departed.has(id) ? 'gone' : 'up'];
      }
    }
  }

  private async enter(which: number, kindNumber: number, serverNumber: number): Promise<readonly [unknown, unknown]> {
    const read = this.readBack(which);
    // A stop is what can be asked of a start.
    if (read.state === 'Starting') return this.queueStop(read);
    const kinds = possibleKinds(read.state);
    const kind = pick(kinds, kindNumber % kinds.length);
    const serverId = this.server(serverNumber);
    const job = newJob(this.cluster.id, kind);
    const expected = this.model.enter(read, kind, job.id, serverId);
    if (expected === null) return [null, null];
    const entry = newEntry(this.at(read), kind, serverId, { job });
    const hold = await enterOperation(this.scratch.db, {
      ...entry,
      failureEvent: entry.move === null ? null : failureEventOf(kind, read.state),
    });
    if (hold !== undefined) this.holds.unshift({ job: hold.jobId, token: hold.token, server: serverId });
    return [hold !== undefined, expected];
  }

  private async queueStop(read: ModelRead): Promise<readonly [unknown, unknown]> {
    const stop = newJob(this.cluster.id, 'stop');
    this.stops.unshift(stop.id);
    const queued = await queueStop(this.scratch.db, this.at(read).asRead, this.cluster.name, stop);
    return [queued ? 'queued' : 'not queued', this.model.queueStop(read, stop.id) ? 'queued' : 'not queued'];
  }

  private async write(which: number): Promise<readonly [unknown, unknown]> {
    const hold = this.holds[which];
    if (hold === undefined) return [null, null];
    const text = `line ${randomUUID()}`;
    const written = await whileHeld(this.scratch.db, this.hold(hold), (tx) =>
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
    const ended = await endWith(this.scratch.db, this.hold(hold), { ...ending, event });
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
      this.scratch.db,
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
    const moved = await this.scratch.db.transaction((tx) =>
      drift(
        tx,
        this.at(read).asRead,
        { to, event: 'FaultsDetected', cause: 'drift', jobId: null, serverId: null },
        attention,
      ),
    );
    return [moved !== undefined, expected];
  }

  /** It departs, and another boot comes in its place. */
  private async depart(id: string): Promise<void> {
    await departNow(this.scratch.sql, id);
    this.model.departed.add(id);
    this.departed = id;
    const index = this.servers.indexOf(id);
    if (index >= 0) this.servers.splice(index, 1, await insertServer(this.scratch.sql));
  }

  private server(number: number): string {
    return number === 3 && this.departed !== null ? this.departed : pick(this.servers, number);
  }

  private victim(number: number): string {
    const owner = this.model.owner === null ? undefined : this.model.jobs.get(this.model.owner);
    return number === 3 && owner?.server != null ? owner.server : pick(this.servers, number);
  }

  private async failJobs(): Promise<void> {
    await this.scratch.db.transaction((tx) => failJobsOfDeparted(tx, 1));
    this.model.failJobsOfDeparted();
  }

  /** As a pass decides: from the owner's stored event. */
  private recoveryOf(read: ModelRead) {
    const event = (read.owner === null ? null : this.model.jobs.get(read.owner)?.failureEvent) ?? 'OperationFailed';
    return { waitingStopId: read.next, becomes: failureTarget(read.state, event), event };
  }

  /** 0: read now; otherwise what was read that many looks ago. */
  private readBack(looksAgo: number): ModelRead {
    this.reads.unshift(this.model.read());
    return pick(this.reads, looksAgo);
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

/** What the policy lets enter from there; start twice, because stops wait for nothing else. Deletes end most schedules: rarely. */
function possibleKinds(state: ClusterState): readonly OperationKind[] {
  const kinds = operationKinds.filter((kind) => ['enter', 'go-ahead'].includes(byState(kind, state).kind));
  const starts = kinds.filter((kind) => kind === 'start' || kind === 'create');
  const others = kinds.filter((kind) => kind !== 'delete');
  return kinds.length === 0 ? ['start'] : [...kinds, ...others, ...starts, ...starts, ...starts, ...starts];
}

function pick<T>(from: readonly T[], index: number): T {
  const picked = from[Math.min(index, from.length - 1)];
  if (picked === undefined) throw new Error('nothing to pick from');
  return picked;
}

function byId(a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? -1 : 1;
}
