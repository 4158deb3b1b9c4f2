/** Async jobs: queued per machine, in order of arrival; they outlive the connection that asked for them. */
import { randomUUID } from 'node:crypto';
import type { Happening } from '@/simulator/core/faults';
import { type JsonObject, textAt } from '@/simulator/core/json';
import { latencyMs } from '@/simulator/core/latency';
import { noOrigin, type Origin } from '@/simulator/core/ledger';
import type { Job } from '@/simulator/core/model';
import type { World } from '@/simulator/world';
import { ApiError, errorOfCode } from './errors';

/** What a job's work gets: its origin for effects, and waits that end with the management server. */
export interface JobRun {
  origin: Origin;
  sleep: (ms: number) => Promise<void>;
}

export type JobWork = (run: JobRun) => Promise<JsonObject>;

export interface JobRequest {
  command: string;
  account: string;
  user: string;
  instanceType: string;
  instanceId: string;
  customId: string | null;
  origin: Origin;
  happening: Happening;
  work: JobWork;
  failed?: (() => void) | undefined;
}

/** Ends the work of a job whose management server is gone; never answered to anybody. */
class Abandoned extends Error {}

export class Jobs {
  readonly #world: World;
  readonly #queues = new Map<string, Promise<void>>();
  #epoch = 0;

  constructor(world: World) {
    this.#world = world;
  }

  /**
   * Registers a job and lets it run. A custom id that is in use by a running job is refused with 431, one of an ended job
   * with 530, never run twice.
   */
  start(request: JobRequest): Job {
    const { records, clock } = this.#world;
    const earlier = request.customId === null ? undefined : records.get('job', request.customId);
    if (earlier?.status === 0) throw errorOfCode(431, `Job with id ${earlier.id} is already running`);
    if (earlier !== undefined) throw errorOfCode(530);
    const job: Job = {
      id: request.customId ?? randomUUID(),
      command: request.command,
      account: request.account,
      user: request.user,
      status: 0,
      code: 0,
      result: null,
      instanceType: request.instanceType,
      instanceId: request.instanceId,
      created: clock.now(),
      completed: null,
      vanished: false,
    };
    records.save('job', job);
    this.#markInstance(job, job.id);
    const epoch = this.#epoch;
    const queue = job.instanceType === 'VirtualMachine' ? job.instanceId : job.id;
    const before = this.#queues.get(queue) ?? Promise.resolve();
    const mine = before.then(() => this.#run(job, request, epoch)).catch((error) => this.#world.unexpected(error));
    this.#queues.set(queue, mine);
    void mine.then(() => {
      if (this.#queues.get(queue) === mine) this.#queues.delete(queue);
    });
    return job;
  }

  /** A management server that went away: every unfinished job is failed with 530, and no work goes on. */
  failUnfinished(): void {
    this.#epoch += 1;
    this.#queues.clear();
    for (const job of this.#world.records.all('job')) {
      if (job.status === 0) {
        this.#finish(job, errorOfCode(530, 'job cancelled because of management server restart'), noOrigin);
      }
    }
  }

  /** Forgets finished jobs that are older than the server keeps them. */
  prune(): void {
    const { records, clock } = this.#world;
    for (const job of records.all('job')) {
      if (job.completed !== null && clock.now() - job.completed > latencyMs.jobExpiry) records.remove('job', job.id);
    }
  }

  async #run(job: Job, request: JobRequest, epoch: number): Promise<void> {
    const { faults, gates, clock } = this.#world;
    const current = () => {
      if (this.#epoch !== epoch) throw new Abandoned();
    };
    const run: JobRun = {
      origin: { ...request.origin, jobId: job.id },
      sleep: async (ms) => {
        await clock.sleep(ms);
        current();
      },
    };
    try {
      current();
      await gates.pass('job-before', request.happening);
      current();
      const fault = faults.take(request.happening, ['fail-job', 'job-hangs', 'job-vanishes', 'finish-as']);
      if (fault?.kind === 'job-hangs') return;
      if (fault?.kind === 'fail-job') {
        request.failed?.();
        throw errorOfCode(fault.code, fault.text);
      }
      if (fault?.kind === 'job-vanishes') job.vanished = true;
      const result = await request.work(run);
      current();
      await gates.pass('job-after', request.happening);
      current();
      if (fault?.kind === 'finish-as') throw errorOfCode(fault.code, fault.text);
      this.#finish(job, result, run.origin);
    } catch (error) {
      if (error instanceof Abandoned) return;
      if (!(error instanceof ApiError)) this.#world.unexpected(error);
      this.#finish(job, error instanceof ApiError ? error : errorOfCode(530), run.origin);
    }
  }

  #finish(job: Job, outcome: JsonObject | ApiError, origin: Origin): void {
    // Inside a job only these codes survive; everything else, permission too, becomes an internal error.
    const failed = outcome instanceof ApiError;
    const code = failed ? ([431, 533].includes(outcome.code) ? outcome.code : 530) : 0;
    job.status = failed ? 2 : 1;
    job.code = code;
    job.result = failed ? { errorcode: code, errortext: outcome.message } : outcome;
    job.completed = this.#world.clock.now();
    this.#world.records.save('job', job);
    this.#markInstance(job, null);
    this.#world.effect(
      failed ? 'job failed' : 'job succeeded',
      { ...origin, account: job.account, jobId: job.id },
      {
        command: job.command,
        instance: job.instanceId,
        error: textAt(job.result, 'errortext') ?? null,
      },
    );
    this.#world.records.flush();
  }

  #markInstance(job: Job, jobId: string | null): void {
    const machine = this.#world.records.get('machine', job.instanceId);
    if (machine === undefined || (jobId === null && machine.jobId !== job.id)) return;
    machine.jobId = jobId;
    this.#world.records.save('machine', machine);
  }
}
