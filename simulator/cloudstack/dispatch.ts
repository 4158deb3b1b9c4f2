/** From a received request to what is answered: who asks, may they, faults and gates, checks, the command, its job. */

import type { FaultAction } from '@/simulator/core/fault-model';
import type { Happening } from '@/simulator/core/faults';
import type { JsonObject } from '@/simulator/core/json';
import { latencyMs } from '@/simulator/core/latency';
import type { World } from '@/simulator/world';
import { accountCaller } from './accounts';
import { answerKey, type Call, type Caller, type Command, type JobOutcome } from './command';
import { findCommand } from './command-table';
import { ApiError, badParameter, errorOfCode } from './errors';
import { type Args, checkParameters, idOf } from './parameters';

export interface Received {
  sequence: number;
  parameters: ReadonlyMap<string, string>;
  command: string;
  method: string;
  operation: string | null;
}

export interface Answered {
  /** `lose` and `close` break the connection, `hang` never answers. */
  action: 'answer' | 'lose' | 'close' | 'hang';
  status: number;
  body: JsonObject;
  errorText: string | null;
  account: string | null;
  jobId: string | null;
}

const readCommand = /^(get|list|query|find)/;
const longestUserDataByGet = 4_096;

function errorAnswer(key: string, error: ApiError, account: string | null): Answered {
  const body: JsonObject = { uuidList: [], errorcode: error.code, errortext: error.message };
  if (error.cs !== null) body['cserrorcode'] = error.cs;
  return {
    action: 'answer',
    status: error.code,
    body: { [key]: body },
    errorText: error.message,
    account,
    jobId: null,
  };
}

const silent = (action: 'lose' | 'close' | 'hang', account: string | null): Answered => ({
  action,
  status: 0,
  body: {},
  errorText: null,
  account,
  jobId: null,
});

/** What faults and gates can match: the machine by its name, whether it is named or meant by id. */
function happeningOf(world: World, received: Received): Happening {
  const of = (name: string) => received.parameters.get(name) ?? '';
  const ids = [
    of('id'),
    of('virtualmachineid'),
    ...of('virtualmachineids').split(','),
    ...of('resourceids').split(','),
  ];
  const machine = ids.map((id) => world.records.get('machine', id)).find((found) => found !== undefined);
  const cluster =
    machine === undefined ? undefined : world.tagsOf(machine.id).find((tag) => tag.key === 'holdfast-cluster')?.value;
  return {
    command: received.command,
    vm: machine?.name ?? (of('name') || undefined),
    step: received.operation ?? undefined,
    cluster,
  };
}

/** Faults that strike before the command does anything. Null: nothing strikes, or only a delay did. */
async function strikeBefore(
  world: World,
  happening: Happening,
  key: string,
  account: string,
): Promise<Answered | null> {
  const fault = world.faults.take(happening, ['refuse', 'hang', 'close', 'slow']);
  if (fault === undefined) return null;
  if (fault.kind === 'slow') await world.clock.sleep(fault.ms);
  if (fault.kind === 'refuse') return errorAnswer(key, errorOfCode(fault.code, fault.text), account);
  if (fault.kind === 'hang' || fault.kind === 'close') return silent(fault.kind, account);
  return null;
}

function strikeAfter(fault: FaultAction | undefined, key: string, answered: Answered): Answered {
  if (fault?.kind !== 'lose-answer') return answered;
  if (fault.code === undefined) return { ...answered, action: 'lose' };
  return { ...errorAnswer(key, errorOfCode(fault.code), answered.account), jobId: answered.jobId };
}

function checkLengthByMethod(received: Received): void {
  if (received.method !== 'GET') return;
  for (const [name, value] of received.parameters) {
    if (name.toLowerCase() === 'userdata' && value.length > longestUserDataByGet) {
      throw badParameter(`User data is too long for an http GET request, the limit is ${longestUserDataByGet}`);
    }
  }
}

async function execute(call: Call, command: Command, received: Received, happening: Happening): Promise<Answered> {
  const { world, caller } = call;
  checkLengthByMethod(received);
  const table = command.kind === 'sync' ? command.parameters : { ...command.parameters, customjobid: idOf() };
  const args: Args = checkParameters(received.parameters, table, world.records);
  await world.clock.sleep(world.random.jitter(command.kind === 'create' ? latencyMs.createPhase : latencyMs.sync));
  const outcome = await command.run(call, args);
  const done = { action: 'answer', status: 200, errorText: null, account: caller.account } as const;
  const key = answerKey(command);
  if (outcome.kind === 'answer') return { ...done, body: { [key]: outcome.body }, jobId: null };
  const job = startJob(call, command, outcome, args, happening);
  const ids = outcome.id === undefined ? { jobid: job.id } : { id: outcome.id, jobid: job.id };
  return { ...done, body: { [key]: ids }, jobId: job.id };
}

function startJob(call: Call, command: Command, outcome: JobOutcome, args: Args, happening: Happening) {
  return call.world.jobs.start({
    command: command.name,
    account: call.caller.account,
    user: call.caller.user,
    instanceType: outcome.instanceType,
    instanceId: outcome.instanceId,
    customId: args.text('customjobid') ?? null,
    origin: call.origin,
    happening: { ...happening, vm: call.world.records.get('machine', outcome.instanceId)?.name ?? happening.vm },
    work: outcome.work,
    failed: outcome.failed,
  });
}

function mayRun(caller: Caller, command: Command): boolean {
  if (command.rootOnly === true && !caller.isRoot) return false;
  return !caller.readOnly || readCommand.test(command.name);
}

/** Answers one request. Expected refusals become error envelopes; anything else is thrown. */
export async function dispatch(world: World, received: Received): Promise<Answered> {
  const command = findCommand(received.command);
  const key = command === undefined ? 'errorresponse' : answerKey(command);
  const caller = accountCaller(world, received.parameters);
  if (caller === null || command === undefined || !mayRun(caller, command))
    return errorAnswer(key, errorOfCode(401), caller?.account ?? null);
  if (world.settings.enforcePost && received.method === 'GET' && !readCommand.test(command.name)) {
    return errorAnswer(key, new ApiError(400, null, 'HTTP GET is not allowed for this command'), caller.account);
  }
  const happening = happeningOf(world, received);
  await world.gates.pass('before', happening);
  const struck = await strikeBefore(world, happening, key, caller.account);
  if (struck !== null) return struck;
  const origin = { operation: received.operation, account: caller.account, jobId: null };
  const loss = world.faults.take(happening, ['lose-answer']);
  let answered: Answered;
  try {
    answered = await execute({ world, caller, origin }, command, received, happening);
  } catch (error) {
    if (!(error instanceof ApiError)) world.unexpected(error);
    answered = errorAnswer(key, error instanceof ApiError ? error : errorOfCode(530), caller.account);
  }
  await world.gates.pass('after', happening);
  return strikeAfter(loss, key, answered);
}
