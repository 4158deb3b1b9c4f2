/**
 * `npm run kills [-- --only create,start,stop,delete]`: kills the server that runs an operation, at the end of each of its steps (the work
 * is done, that it is done is not on record), and prints where the cluster went, when, and when it was whole again. Starts and ends a
 * product of its own. Exit code 1 when a promise was broken.
 */
import { parseArgs } from 'node:util';
import { printTable, quantile, seconds } from '../e2e/support/figures';
import { killNow, untilRecovered } from '../e2e/support/kills';
import { type OwnStack, withOwnStack } from '../e2e/support/own-stack';
import type { ClusterRecord } from '../e2e/support/records';
import { installStepStops, type StepStops } from '../e2e/support/step-stops';

const kinds = ['create', 'start', 'stop', 'delete'] as const;
type Kind = (typeof kinds)[number];

const leaseMs = 3_000;
const periodMs = 1_000;
/** A pass looks at the clock once a period and takes a moment itself; on a machine with two busy cores. */
const passMs = 1_000;
const boundMs = leaseMs + periodMs + passMs;
const settings = {
  HOLDFAST_BEAT_MS: '500',
  HOLDFAST_LEASE_MS: String(leaseMs),
  HOLDFAST_POLL_MS: '100',
  HOLDFAST_CRON_PERIOD_MS: String(periodMs),
};
const patienceMs = 120_000;
/** Within so many passes after its recovery a healthy cluster is whole again. */
const passesToHealth = 2;
const size = { controlCount: 1, workerCount: 2, csiEnabled: true };

interface Line {
  readonly kind: Kind;
  readonly step: string;
  /** Started again at once, so that its name comes back under another boot; or dead until the cluster is free. */
  readonly server: 'back at once' | 'stays dead';
  readonly to: string;
  readonly recoveredMs: number;
  /** Null: it is not whole, and says what helps. */
  readonly wholeMs: number | null;
  readonly rests: string;
  readonly broken: readonly string[];
}

class Kills {
  readonly #own: OwnStack;
  readonly #stops: StepStops;
  #turn = 0;
  #named = 0;
  #kills = 0;
  /** Servers that are on their way back. */
  readonly #returning = new Map<string, Promise<void>>();

  constructor(own: OwnStack, stops: StepStops) {
    this.#own = own;
    this.#stops = stops;
  }

  /** The steps of one undisturbed life: what there is to kill at. Leaves a cluster that is gone. */
  async undisturbed(): Promise<Record<Kind, readonly string[]>> {
    const { records, apis } = this.#own;
    const [api] = apis;
    if (api === undefined) throw new Error('no server');
    const { clusterId, jobId } = await api.createAccepted(this.#name(), size);
    await records.untilRests(clusterId, 'Running', patienceMs);
    const stop = await api.operateAccepted('stop', clusterId);
    await records.untilRests(clusterId, 'Stopped', patienceMs);
    const start = await api.operateAccepted('start', clusterId);
    await records.untilRests(clusterId, 'Running', patienceMs);
    const erase = await api.operateAccepted('delete', clusterId);
    await records.untilRests(clusterId, 'Destroyed', patienceMs);
    const names = async (job: string) => (await records.steps(job)).map(({ name }) => name);
    return {
      create: await names(jobId),
      start: await names(start.jobId),
      stop: await names(stop.jobId),
      delete: await names(erase.jobId),
    };
  }

  /** One kill. The cluster is made for it, or brought back to where the operation begins. */
  async kill(kind: Kind, step: string): Promise<Line> {
    const { records } = this.#own;
    const victim = await this.#nextVictim();
    const spare = await this.#api((this.#turn + 1) % this.#own.apis.length);
    const clusterId = kind === 'create' ? undefined : await this.#ready(kind, spare);
    await this.#stops.arm(kind, step);
    const accepted =
      clusterId === undefined
        ? await victim.api.createAccepted(this.#name(), size)
        : await victim.api.operateAccepted(kind as Exclude<Kind, 'create'>, clusterId);
    await this.#stops.reached(patienceMs);
    const killedAt = await killNow(records, victim.server);
    await this.#stops.disarm();
    const isBackAtOnce = this.#kills % 2 === 0;
    this.#kills += 1;
    if (isBackAtOnce) this.#returning.set(victim.server.name, victim.server.restart());
    const { recoveredMs, to, reason } = await untilRecovered(records, accepted.jobId, killedAt, patienceMs);
    if (!isBackAtOnce) this.#returning.set(victim.server.name, victim.server.restart());
    const rest = await this.#untilSettled(accepted.clusterId, killedAt);
    const wanted = kind === 'delete' ? 'Destroying' : 'Alert';
    const broken = [
      ...(to === wanted ? [] : [`went to ${to}, not ${wanted}`]),
      ...(recoveredMs <= boundMs ? [] : [`took longer than ${boundMs} ms`]),
      ...(reason === null || reason === '' ? ['has no reason'] : []),
      ...(kind === 'delete' && rest.row.state !== 'Destroyed' ? ['the delete did not complete'] : []),
    ];
    const completes = rest.row.state === 'Alert' ? await this.#complete(accepted.clusterId, spare) : '';
    return {
      kind,
      step,
      server: isBackAtOnce ? 'back at once' : 'stays dead',
      to,
      recoveredMs,
      wholeMs: rest.row.state === 'Alert' ? null : rest.atMs,
      rests: `${rest.row.state}${completes}`,
      broken: completes === ' (start failed)' ? [...broken, 'a start does not complete it'] : broken,
    };
  }

  #name(): string {
    this.#named += 1;
    return `kill-${this.#named}`;
  }

  async #nextVictim() {
    this.#turn = (this.#turn + 1) % this.#own.stack.servers.length;
    const server = this.#own.stack.servers[this.#turn];
    if (server === undefined) throw new Error('no server');
    return { server, api: await this.#api(this.#turn) };
  }

  async #api(index: number) {
    const server = this.#own.stack.servers[index];
    const api = this.#own.apis[index];
    if (server === undefined || api === undefined) throw new Error(`no server ${index}`);
    await this.#returning.get(server.name);
    return api;
  }

  /** A cluster from which `kind` may be asked; one that an earlier kill left, where there is one. */
  async #ready(kind: Kind, api: OwnStack['apis'][number]): Promise<string> {
    const { records } = this.#own;
    const from = kind === 'start' ? 'Stopped' : 'Running';
    const [left] = await records.sql<{ id: string; state: string }[]>`
      select id, state from clusters where state in ('Running', 'Stopped') and operation_id is null
      order by (state = ${from}) desc, created_at limit 1`;
    const id = left?.id ?? (await api.createAccepted(this.#name(), size)).clusterId;
    if (left === undefined) await records.untilRests(id, 'Running', patienceMs);
    const { state } = await records.cluster(id);
    if (state === from) return id;
    await api.operateAccepted(from === 'Stopped' ? 'stop' : 'start', id);
    await records.untilRests(id, from, patienceMs);
    return id;
  }

  /** Running, Stopped or Destroyed; or Alert, left so by two whole passes and the one that freed it. */
  async #untilSettled(clusterId: string, killedAt: Date): Promise<{ row: ClusterRecord; atMs: number }> {
    const { records } = this.#own;
    const lastChange = async () => {
      const [last] = await records.sql<{ at: Date }[]>`
        select at from transitions where cluster_id = ${clusterId} order by seq desc limit 1`;
      return last?.at ?? killedAt;
    };
    const row = await records.until(
      'the cluster has come to rest',
      async () => {
        const now = await records.cluster(clusterId);
        if (now.operationId !== null) return undefined;
        if (['Running', 'Stopped', 'Destroyed'].includes(now.state)) return now;
        const [passes] = await records.sql<{ count: number }[]>`
          select count(*)::int as count from passes
          where mode = 'apply' and cloud = 'done' and started_at > ${await lastChange()}`;
        return now.state === 'Alert' && (passes?.count ?? 0) > passesToHealth ? now : undefined;
      },
      { withinMs: patienceMs, seen: () => records.cluster(clusterId) },
    );
    return { row, atMs: (await lastChange()).getTime() - killedAt.getTime() };
  }

  /** What the page of an unfinished cluster offers: a start, which does what is left. */
  async #complete(clusterId: string, api: OwnStack['apis'][number]): Promise<string> {
    const { records } = this.#own;
    const { jobId } = await api.operateAccepted('start', clusterId);
    const { status } = await records.untilJobEnds(jobId, patienceMs);
    return status === 'succeeded' ? ', start: Running' : ' (start failed)';
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { only: { type: 'string' }, step: { type: 'string' } } });
  const wanted = kinds.filter((kind) => values.only === undefined || values.only.split(',').includes(kind));
  const options = { name: 'kills', serverCount: 3, settings, speed: 0.05, subnet: '127.41', fastDisk: true };
  const lines = await withOwnStack(options, async (own) => {
    const stops = await installStepStops(own.records);
    const kills = new Kills(own, stops);
    const steps = await kills.undisturbed();
    const done: Line[] = [];
    for (const kind of wanted) {
      for (const step of steps[kind].filter((name) => values.step === undefined || name === values.step)) {
        const line = await kills.kill(kind, step);
        done.push(line);
        process.stdout.write(
          `${kind} ${step}: ${seconds(line.recoveredMs)} to ${line.to}, ${line.rests}${line.broken.map((text) => `  BROKEN: ${text}`).join('')}\n`,
        );
      }
    }
    stops.close();
    return done;
  });
  report(lines);
}

function report(lines: readonly Line[]): void {
  printTable(
    ['operation', 'killed at the end of', 'its server', 'becomes', 'recovered', 'whole again', 'rests in', 'result'],
    lines.map(({ kind, step, server, to, recoveredMs, wholeMs, rests, broken }) => [
      kind,
      step,
      server,
      to,
      seconds(recoveredMs),
      wholeMs === null ? 'not by itself' : seconds(wholeMs),
      rests,
      broken.length === 0 ? 'kept' : broken.join('; '),
    ]),
  );
  const recovered = lines.map(({ recoveredMs }) => recoveredMs);
  const whole = lines.flatMap(({ wholeMs }) => (wholeMs === null ? [] : [wholeMs]));
  const broken = lines.filter((line) => line.broken.length > 0).length;
  process.stdout.write(`
Lease ${seconds(leaseMs)}, cron every ${seconds(periodMs)}: recovered within ${seconds(boundMs)} is the promise.
${lines.length} kills (SIGKILL), ${broken} broken promises
to recovered: p50 ${seconds(quantile(recovered, 0.5))}, p99 ${seconds(quantile(recovered, 0.99))}, longest ${seconds(Math.max(...recovered))}
to whole again by itself (${whole.length} of ${lines.length}): p50 ${seconds(quantile(whole, 0.5))}, p99 ${seconds(quantile(whole, 0.99))}, longest ${seconds(Math.max(...whole))}
`);
  process.exitCode = broken === 0 ? 0 : 1;
}

await main();
