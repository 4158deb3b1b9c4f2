/*
 * Who must win: ownership of one cluster as a plain model, written from design section 5 and the rules, not from the code. No SQL, no
 * time, no concurrency: every step is one of the statements, on something read earlier.
 */
import type { OperationKind } from '@/domain/operations';
import { byState } from '@/domain/policy';
import { type ClusterEvent, type ClusterState, isOperationState } from '@/domain/states';
import { nextState } from '@/domain/transitions';

/** What a request, a page or a pass has read, perhaps long ago. */
export interface ModelRead {
  readonly state: ClusterState;
  readonly seq: number;
  readonly owner: string | null;
  readonly next: string | null;
}

export interface ModelHold {
  readonly job: string;
  readonly token: number;
  readonly server: string;
}

interface ModelJob {
  status: 'in_progress' | 'waiting' | 'succeeded' | 'failed' | 'cancelled';
  token: number | null;
  server: string | null;
  failureEvent: ClusterEvent | null;
}

export class OwnershipModel {
  state: ClusterState;
  seq = 0;
  owner: string | null = null;
  next: string | null = null;
  readonly jobs = new Map<string, ModelJob>();
  readonly departed = new Set<string>();

  constructor(state: ClusterState) {
    this.state = state;
  }

  read(): ModelRead {
    return { state: this.state, seq: this.seq, owner: this.owner, next: this.next };
  }

  /** Null: the policy has no entry for it in the state that was read, so it is never asked. */
  enter(read: ModelRead, kind: OperationKind, job: string, server: string): boolean | null {
    const verdict = byState(kind, read.state);
    if (verdict.kind !== 'enter' && verdict.kind !== 'go-ahead') return null;
    const wins =
      read.state === this.state && read.seq === this.seq && this.owner === null && !this.departed.has(server);
    if (!wins) return false;
    const failureEvent = verdict.kind === 'go-ahead' ? null : failureEventOf(kind, read.state);
    if (verdict.kind === 'enter') this.state = verdict.to;
    this.seq += 1;
    this.owner = job;
    this.jobs.set(job, { status: 'in_progress', token: this.seq, server, failureEvent });
    return true;
  }

  holds(hold: ModelHold): boolean {
    const job = this.jobs.get(hold.job);
    return (
      this.owner === hold.job && this.seq === hold.token && job?.status === 'in_progress' && job.server === hold.server
    );
  }

  end(hold: ModelHold, outcome: 'succeeded' | 'failed', event: ClusterEvent | null): 'lost' | 'ended' | 'handed-over' {
    if (!this.holds(hold)) return 'lost';
    if (this.state === 'Starting' && this.next !== null) {
      this.finish(hold.job, 'cancelled');
      this.handOver(this.next, hold.server);
      return 'handed-over';
    }
    this.finish(hold.job, outcome);
    this.state = (event === null ? undefined : nextState(this.state, event)) ?? this.state;
    this.owner = null;
    return 'ended';
  }

  /** Null: what was read is no candidate of a pass. */
  recover(read: ModelRead, server: string): 'missed' | 'recovered' | 'stop-took-over' | null {
    if (read.owner === null && !isOperationState(read.state)) return null;
    if ([...this.jobs.values()].some((job) => job.status === 'in_progress')) return 'missed';
    return this.free(read, server);
  }

  /** *End this operation*. Null: the page showed no owner to end. */
  endByAdmin(read: ModelRead, server: string): 'missed' | 'recovered' | 'stop-took-over' | null {
    if (read.owner === null) return null;
    const job = this.jobs.get(read.owner);
    if (job?.status !== 'in_progress' || !this.isAsRead(read)) return 'missed';
    this.finish(read.owner, 'failed');
    return this.free(read, server);
  }

  queueStop(read: ModelRead, job: string): boolean {
    const wins =
      this.state === 'Starting' &&
      this.seq === read.seq &&
      this.owner !== null &&
      this.owner === read.owner &&
      this.next === null;
    if (!wins) return false;
    this.next = job;
    this.jobs.set(job, { status: 'waiting', token: null, server: null, failureEvent: 'OperationFailed' });
    return true;
  }

  withdraw(job: string): boolean {
    if (this.next !== job) return false;
    this.next = null;
    this.finish(job, 'cancelled');
    return true;
  }

  drift(read: ModelRead): boolean | null {
    const to = nextState(read.state, 'FaultsDetected');
    if (to === undefined || read.owner !== null) return null;
    if (read.state !== this.state || read.seq !== this.seq || this.owner !== null) return false;
    this.state = to;
    this.seq += 1;
    return true;
  }

  foreignWrite(to: ClusterState): void {
    if (to === this.state) return;
    if (this.owner !== null && this.jobs.get(this.owner)?.status === 'in_progress') this.finish(this.owner, 'failed');
    if (this.next !== null) this.finish(this.next, 'cancelled');
    this.state = to;
    this.seq += 1;
    this.owner = null;
    this.next = null;
  }

  failJobsOfDeparted(): void {
    for (const [id, job] of this.jobs) {
      if (job.status === 'in_progress' && job.server !== null && this.departed.has(job.server))
        this.finish(id, 'failed');
    }
  }

  private isAsRead(read: ModelRead): boolean {
    const waits = read.state === 'Starting' ? read.next : null;
    return read.state === this.state && read.seq === this.seq && read.owner === this.owner && waits === this.next;
  }

  private free(read: ModelRead, server: string): 'missed' | 'recovered' | 'stop-took-over' {
    if (!this.isAsRead(read)) return 'missed';
    if (this.next !== null) {
      this.handOver(this.next, server);
      return 'stop-took-over';
    }
    const event = (read.owner === null ? null : this.jobs.get(read.owner)?.failureEvent) ?? 'OperationFailed';
    if (isOperationState(this.state)) this.state = nextState(this.state, event) ?? this.state;
    this.owner = null;
    this.seq += 1;
    return 'recovered';
  }

  private handOver(stop: string, server: string): void {
    this.seq += 1;
    this.state = 'Stopping';
    this.owner = stop;
    this.next = null;
    this.jobs.set(stop, { status: 'in_progress', token: this.seq, server, failureEvent: 'OperationFailed' });
  }

  private finish(job: string, status: 'succeeded' | 'failed' | 'cancelled'): void {
    const found = this.jobs.get(job);
    if (found === undefined || (found.status !== 'in_progress' && found.status !== 'waiting'))
      throw new Error(`job ${job} ended twice`);
    found.status = status;
  }
}

/** A recovery that began in Error ends there when it fails (design section 4). */
export function failureEventOf(kind: OperationKind, from: ClusterState): ClusterEvent {
  return kind === 'recover' && from === 'Error' ? 'CreateFailed' : 'OperationFailed';
}
