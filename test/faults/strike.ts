/**
 * Issue 3: in every step of every operation the cloud refuses, says nothing, or loses its answer, and the server dies. The cases come
 * from one faultless run of each operation: its plan, and the calls that each step makes.
 */
import { expect } from 'vitest';
import type { PlannedStep, StepName } from '@/domain/plan-steps';
import type { ClusterState } from '@/domain/states';
import { nextState } from '@/domain/transitions';
import type { CloudErrorKind } from '@/infrastructure/cloud';
import { disagreements, lateEffects, leftOf, unnamed } from '../support/agreement';
import type { FaultKind, StepCall } from '../support/faulty-cloud';
import { granted, Lane } from '../support/lane';
import type { Place } from '../support/lanes';
import { type TestServer, untilIdle } from '../support/server';
import { bringTo, complete, type FaultedOperation, planOf, stateDuring } from './operations';

const errorKinds: readonly CloudErrorKind[] = [
  'refused',
  'transient',
  'denied',
  'quota',
  'capacity',
  'not-found',
  'unknown-outcome',
];
/** What fails in these is noted and does not fail the operation (cluster-semantics 2.1 step 21, 2.8 step 5). */
const bestEffort: readonly StepName[] = ['mark-nodes', 'delete-volumes'];

export interface Case {
  readonly operation: FaultedOperation;
  readonly step: StepName;
  /** Of steps of this name, which one. */
  readonly nth: number;
  readonly kind: FaultKind;
  readonly method: string | undefined;
  readonly error: CloudErrorKind;
  readonly title: string;
}

export async function strike(place: Place, { operation, step, nth, kind, method, error }: Case): Promise<void> {
  const { lane, server: standby } = place;
  const id = await bringTo(lane, standby, operation, place.clusterId);
  place.clusterId = undefined;
  const input = await operation.input(await lane.facts(id), lane);
  const planned = (await planOf(lane, standby, id, operation.kind, input)).filter((each) => each.step === step)[
    nth - 1
  ];
  if (planned === undefined) throw new Error(`its plan has no ${step} number ${nth}`);

  const struck = await runWithFault(lane, id, operation, input, { planned, kind, method, error });
  const tolerated =
    kind === 'lose-answer' || (kind === 'refuse' && bestEffort.includes(step)) || step === 'delete-volumes';
  if (kind === 'stand') await afterDeath(lane, standby, id, struck.jobId, operation);
  else if (tolerated) expect(await lane.job(struck.jobId)).toMatchObject({ status: 'succeeded', message: null });
  else await afterFailure(lane, id, struck.jobId, operation, planned);
  expect(await unnamed(lane, id)).toEqual([]);
  expect(await lane.violations()).toEqual([]);

  const { cluster } = await lane.facts(id);
  await complete(lane, standby, id, operation, input);
  if (operation.to === 'Destroyed') expect(leftOf(lane, cluster)).toEqual([]);
  else expect(await disagreements(lane, id)).toEqual([]);
  expect(await lateEffects(lane, id)).toEqual([]);
  expect(await lane.violations()).toEqual([]);
  expect([...standby.errors, ...struck.server.errors]).toEqual([]);
  place.clusterId = operation.to === 'Destroyed' ? undefined : id;
}

interface Struck {
  readonly jobId: string;
  readonly server: TestServer;
}

async function runWithFault(
  lane: Lane,
  id: string,
  operation: FaultedOperation,
  input: Record<string, unknown>,
  fault: { planned: PlannedStep; kind: FaultKind; method: string | undefined; error: CloudErrorKind },
): Promise<Struck> {
  const { planned, kind, method, error } = fault;
  let strikes: () => void = () => undefined;
  const standing = new Promise<void>((resolve) => {
    strikes = resolve;
  });
  const server = await lane.server({
    // A step that calls nobody can only lose its server.
    atMoment: (moment) => {
      if (kind !== 'stand' || method !== undefined || moment !== `end ${planned.key}`) return Promise.resolve();
      strikes();
      return new Promise(() => undefined);
    },
  });
  lane.cloud.fault = {
    step: planned.key,
    kind,
    error,
    ...(method === undefined ? {} : { method }),
    struck: (times) => {
      strikes();
      const waits = kind === 'hang' || (kind === 'refuse' && times === refusalsOfAWait);
      if (waits) void letTimePass(lane, id, planned);
    },
  };
  try {
    const { jobId } = granted(await lane.ask(server, operation.kind, id, input));
    const ended = untilIdle(server);
    await (kind === 'stand'
      ? Promise.race([standing, ended.then(() => Promise.reject(new Error('the fault never struck')))])
      : ended);
    return { jobId, server };
  } finally {
    lane.cloud.fault = undefined;
  }
}

/** More than a step that gives up meets, so that one which goes on is waiting for something to change. */
const refusalsOfAWait = 12;

/** The step's time is over as soon as those that run beside it have ended, because the clock is theirs too. */
async function letTimePass(lane: Lane, clusterId: string, planned: PlannedStep): Promise<void> {
  for (;;) {
    const others = await lane.sql`select 1 from job_steps join jobs on jobs.id = job_id
      where cluster_id = ${clusterId} and jobs.status = 'in_progress' and job_steps.status = 'running' and name <> ${planned.key}`;
    if (others.length === 0) break;
  }
  lane.clock.jump(planned.timeoutSeconds * 1000 + 1);
}

/** Its job failed with step and reason in plain words, and the cluster is where the step's failure leads. */
async function afterFailure(
  lane: Lane,
  id: string,
  jobId: string,
  operation: FaultedOperation,
  planned: PlannedStep,
): Promise<void> {
  const job = await lane.job(jobId);
  expect(job).toMatchObject({
    status: 'failed',
    reason: expect.stringMatching(/^(step-failed|timed-out)$/),
    currentStep: planned.label,
  });
  expect(job.message).toContain(`${planned.label}: `);
  expect(notPlain(job.message)).toBeNull();
  const [row] = await lane.sql<{ status: string; error: string | null }[]>`
    select status, error from job_steps where job_id = ${jobId} and name = ${planned.key}`;
  expect(row).toMatchObject({ status: 'failed', error: expect.any(String) });
  expect(notPlain(row?.error ?? '')).toBeNull();
  const during = stateDuring(operation);
  expect(await lane.state(id)).toBe(planned.failure === null ? during : nextState(during, planned.failure));
  if (planned.step === 'import-node') await givenBack(lane, id, planned.machineId);
}

/** B008, ADD-2: a machine that could not be added has no ISO, no keys and no row. */
async function givenBack(lane: Lane, id: string, machineId: string | undefined): Promise<void> {
  const machine = lane.machineOf(machineId ?? null);
  const { nodes } = await lane.facts(id);
  expect(nodes.filter((node) => node.machineId === machineId)).toEqual([]);
  expect(machine).toMatchObject({ isoId: null, userData: expect.not.stringMatching(/token/) });
}

async function afterDeath(
  lane: Lane,
  standby: TestServer,
  id: string,
  jobId: string,
  operation: FaultedOperation,
): Promise<void> {
  const doomed = lane.servers.at(-1);
  await doomed?.die();
  await lane.pass(standby);
  expect(await lane.job(jobId)).toMatchObject({
    status: 'failed',
    reason: 'server-departed',
    message: expect.stringMatching(/departed/),
  });
  const recovery = (await lane.transitions(id)).find((each) => each.jobId === jobId && each.cause === 'recovery');
  const during = stateDuring(operation);
  if (operation.kind === 'delete') expect(recovery).toBeUndefined();
  else expect(recovery).toMatchObject({ fromState: during, toState: nextState(during, 'OperationFailed') });
  const rests: readonly ClusterState[] = ['Running', 'Stopped', 'Alert', 'Destroying', 'Destroyed'];
  expect(rests).toContain(await lane.state(id));
}

/** What no person should have to read. */
function notPlain(words: string | null): string | null {
  if (words === null || words === '') return 'nothing is said';
  const found = /select |insert into|update "|\bat .*\.ts:|Error:|\[object|undefined|unexpected error|postgres/i.exec(
    words,
  );
  return found === null ? null : `${found[0]} in: ${words}`;
}

/** Runs each operation once without a fault, on a lane of its own. */
export async function casesOf(operations: readonly FaultedOperation[]): Promise<readonly Case[]> {
  const lane = await Lane.open();
  const [server] = lane.servers;
  if (server === undefined) throw new Error('a lane opens with a server');
  const found: Case[] = [];
  let clusterId: string | undefined;
  for (const operation of operations) {
    const id = await bringTo(lane, server, operation, clusterId);
    const input = await operation.input(await lane.facts(id), lane);
    const plan = await planOf(lane, server, id, operation.kind, input);
    lane.cloud.calls.length = 0;
    await lane.run(server, operation.kind, id, input);
    const seen = new Map<StepName, number>();
    for (const planned of plan) {
      const nth = (seen.get(planned.step) ?? 0) + 1;
      seen.set(planned.step, nth);
      const calls = lane.cloud.calls.filter((call) => call.step === planned.key);
      for (const fault of faultsOf(calls)) found.push(asCase(operation, planned, nth, fault, found.length));
    }
    clusterId = operation.to === 'Destroyed' ? undefined : id;
  }
  await lane.close();
  return found;
}

type StepFaults = readonly { kind: FaultKind; method: string | undefined }[];

/** Refused at the first call, and at the first and the last that change something; the others where they hurt most. */
function faultsOf(calls: readonly StepCall[]): StepFaults {
  const [first] = calls;
  if (first === undefined) return [{ kind: 'stand', method: undefined }];
  const changes = [...new Set(calls.filter((call) => call.changes).map((call) => call.method))];
  const ends = [...new Set([changes.at(0), changes.at(-1)])].filter((method) => method !== undefined);
  const main = ends.at(0) ?? first.method;
  const refused = [...new Set([first.method, ...ends])];
  return [
    ...refused.map((method) => ({ kind: 'refuse', method }) as const),
    { kind: 'hang', method: main },
    ...(ends.length === 0 ? [first.method] : ends).map((method) => ({ kind: 'lose-answer', method }) as const),
    { kind: 'stand', method: main },
  ];
}

function asCase(
  operation: FaultedOperation,
  planned: PlannedStep,
  nth: number,
  fault: StepFaults[number],
  number: number,
): Case {
  const error = errorKinds[number % errorKinds.length] ?? 'refused';
  const { kind, method } = fault;
  const words: Readonly<Record<FaultKind, string>> = {
    refuse: `${method} is refused (${error})`,
    hang: `${method} is never answered`,
    'lose-answer': `the answer to ${method} is lost`,
    stand: method === undefined ? 'its server dies' : `its server dies after ${method}`,
  };
  return { operation, step: planned.step, nth, kind, method, error, title: `${planned.label}: ${words[kind]}` };
}
