import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { CallContext } from '@/infrastructure/cloud';
import type { Parameters } from '@/infrastructure/signature';
import { ended, errorAnswer, isKind, refusal, unknownOutcome } from './errors';
import { readAs } from './read-answer';
import { type Answer, send } from './request';
import type { Settings } from './settings';
import { pause, waits } from './waits';

export interface JobRequest {
  readonly command: string;
  readonly parameters: Parameters;
  /** How long the job may take in all. */
  readonly boundMs: number;
  readonly requestMs: number;
  /**
   * A create runs its create phase before the job's id is looked at (B.3), so its own id would protect nothing. Every other
   * job gets one made here, by which a lost answer is settled. It is new for each call: one that is derived from the step
   * would still be taken when the step is tried again.
   */
  readonly isCreate: boolean;
}

const started = z.object({ jobid: z.string() });
const progress = z.object({
  jobstatus: z.number(),
  jobresult: z.unknown().optional(),
  jobresultcode: z.number().optional(),
});
const object = z.record(z.string(), z.unknown());

const running = 0;
const succeeded = 1;

/** Sends an asynchronous command and waits for its job. Answers the job's result; a failed job throws by its code. */
export async function runJob(settings: Settings, call: CallContext, request: JobRequest): Promise<Answer> {
  const endsAt = Date.now() + request.boundMs;
  const jobId = await startJob(settings, call, request);
  return awaitJob(settings, call, { command: request.command, jobId, endsAt });
}

async function startJob(settings: Settings, call: CallContext, request: JobRequest): Promise<string> {
  const { command } = request;
  const ownId = request.isCreate ? null : randomUUID();
  const parameters = ownId === null ? request.parameters : { ...request.parameters, customjobid: ownId };
  await call.authorize();
  try {
    const answer = await send(settings, call, { command, parameters, timeoutMs: request.requestMs, isChange: true });
    const parsed = started.safeParse(answer);
    if (!parsed.success) throw unknownOutcome(command, 'the answer names no job');
    return parsed.data.jobid;
  } catch (error) {
    if (ownId === null || !isKind(error, 'unknown-outcome') || call.signal.aborted) throw error;
    // The request may have arrived: then the job goes by the id that was sent along.
    const known = await askJob(settings, call, ownId).catch(() => null);
    if (known === null) throw error;
    return ownId;
  }
}

async function awaitJob(
  settings: Settings,
  call: CallContext,
  job: { command: string; jobId: string; endsAt: number },
): Promise<Answer> {
  const { command } = job;
  for (const waitMs of waits(settings.pollMs)) {
    await call.authorize();
    const seen = await askJob(settings, call, job.jobId).catch((error: unknown) => {
      if (call.signal.aborted) throw ended(command, call.signal, true);
      // The cloud may be away for a moment; the job is not. Anything else it says of the job leaves the outcome open.
      if (isKind(error, 'transient')) return null;
      throw unknownOutcome(command, 'its job cannot be asked for', null, error);
    });
    if (seen !== null && seen.jobstatus !== running) return resultOf(command, seen);
    if (Date.now() + waitMs > job.endsAt) throw unknownOutcome(command, 'its job did not end in time');
    await pause(waitMs, call.signal);
    if (call.signal.aborted) throw ended(command, call.signal, true);
  }
  throw unknownOutcome(command, 'its job did not end');
}

async function askJob(settings: Settings, call: CallContext, jobId: string): Promise<z.infer<typeof progress>> {
  const answer = await send(settings, call, {
    command: 'queryAsyncJobResult',
    parameters: { jobid: jobId },
    timeoutMs: settings.timeouts.requestMs,
    isChange: false,
  });
  return readAs('queryAsyncJobResult', progress, answer);
}

function resultOf(command: string, seen: z.infer<typeof progress>): Answer {
  if (seen.jobstatus === succeeded) return object.safeParse(seen.jobresult).data ?? {};
  const failure = errorAnswer.safeParse(seen.jobresult);
  throw refusal(command, failure.data ?? { errorcode: seen.jobresultcode ?? 530, errortext: '' });
}
