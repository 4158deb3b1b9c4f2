import { randomUUID } from 'node:crypto';
import { createCluster } from '@/db/create';
import { violatesUnique } from '@/db/errors';
import { jobByIdempotencyKey } from '@/db/jobs';
import type { Actor } from '@/domain/actor';
import { operations } from '@/domain/operations';
import type { FieldIssue, Refusal } from '@/domain/refusals';
import type { CreateInput } from '@/domain/requests';
import { accepted, type Result } from '@/domain/result';
import type { Accepted } from './accept';
import { checkCreate } from './check-create';
import type { WorkerContext } from './context';
import { recordRefusal } from './refuse';
import { dispatch } from './run-operation';
import { afterUnclearCommit } from './unclear-commit';

/**
 * Accepts a create: checks first, then row, entry and job in one transaction; with *start now* its worker starts. May be called twice
 * with one idempotency key: one cluster.
 */
export async function acceptCreate(
  worker: WorkerContext,
  actor: Actor,
  request: { input: CreateInput; idempotencyKey?: string | undefined },
): Promise<Result<Accepted, Refusal>> {
  const { input, idempotencyKey } = request;
  const about = { kind: 'create', clusterId: null, clusterName: input.name, note: input.note ?? null } as const;
  // The same form sent twice at once: what refuses the second is the first, which has taken name and key meanwhile.
  const refuse = async (refusal: Refusal) =>
    (await repeatedCreate(worker, idempotencyKey)) ?? (await recordRefusal(worker, actor, about, refusal));
  const repeated = await repeatedCreate(worker, idempotencyKey);
  if (repeated !== undefined) return repeated;
  if (worker.running.stopping)
    return refuse({ code: 'unavailable', message: 'This server is stopping and takes no new work.' });
  const check = await checkCreate(worker, input);
  if (check.kind === 'cloud') return refuse({ code: 'cloud', message: check.message });
  if (check.kind === 'invalid') return refuse(invalid(check.issues));

  const clusterId = randomUUID();
  const job = {
    id: randomUUID(),
    kind: 'create' as const,
    clusterId,
    actor,
    input: { ...input },
    note: input.note ?? null,
    continuesJobId: null,
    idempotencyKey: idempotencyKey ?? null,
    timeoutSeconds: operations.create.timeoutSeconds,
  };
  worker.running.claim(job.id);
  const wanted = { clusterId, input, zoneName: check.zoneName, job, serverId: worker.lease.serverId };
  const made = await createCluster(worker.db, wanted).catch(async (error: unknown) => {
    if (!violatesUnique(error, 'jobs_idempotency'))
      return { kind: 'unclear', answer: await afterUnclearCommit(worker, error, job, 'claimed') } as const;
    worker.running.release(job.id);
    return { kind: 'repeated' } as const;
  });
  if (made.kind !== 'started' && made.kind !== 'unclear') worker.running.release(job.id);
  switch (made.kind) {
    case 'started':
      dispatch(worker, made.hold);
      return accepted({ jobId: job.id, clusterId, waiting: false, repeated: false });
    case 'unclear':
      return accepted(made.answer);
    case 'resting':
      return accepted({ jobId: job.id, clusterId, waiting: false, repeated: false });
    case 'repeated':
    case 'name-taken':
      return refuse(invalid([{ field: 'name', message: 'A cluster of this name exists.' }]));
    case 'missed':
      return refuse({
        code: 'unavailable',
        message: 'This server is not live any more. Nothing was changed. Please retry.',
      });
  }
}

/** The cluster that an earlier request with this key made. */
async function repeatedCreate(
  worker: WorkerContext,
  key: string | undefined,
): Promise<Result<Accepted, never> | undefined> {
  const made = key === undefined ? undefined : await jobByIdempotencyKey(worker.db, key);
  if (!made?.clusterId) return undefined;
  return accepted({ jobId: made.id, clusterId: made.clusterId, waiting: false, repeated: true });
}

function invalid(issues: readonly FieldIssue[]): Refusal {
  return { code: 'invalid', message: issues.map((issue) => issue.message).join(' '), issues };
}
