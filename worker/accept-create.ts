import { randomUUID } from 'node:crypto';
import { createCluster } from '@/db/create';
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
  const refuse = (refusal: Refusal) =>
    recordRefusal(
      worker,
      actor,
      { kind: 'create', clusterId: null, clusterName: input.name, note: input.note ?? null },
      refusal,
    );
  if (idempotencyKey !== undefined) {
    const made = await jobByIdempotencyKey(worker.db, idempotencyKey);
    if (made?.clusterId) return accepted({ jobId: made.id, clusterId: made.clusterId, waiting: false, repeated: true });
  }
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
  const made = await createCluster(worker.db, {
    clusterId,
    input,
    zoneName: check.zoneName,
    job,
    serverId: worker.lease.serverId,
  }).catch((error: unknown) => {
    worker.running.release(job.id);
    throw error;
  });
  if (made.kind !== 'started') worker.running.release(job.id);
  switch (made.kind) {
    case 'started':
      dispatch(worker, made.hold);
      return accepted({ jobId: job.id, clusterId, waiting: false, repeated: false });
    case 'resting':
      return accepted({ jobId: job.id, clusterId, waiting: false, repeated: false });
    case 'name-taken':
      return refuse(invalid([{ field: 'name', message: 'A cluster of this name exists.' }]));
    case 'missed':
      return refuse({
        code: 'unavailable',
        message: 'This server is not live any more. Nothing was changed. Please retry.',
      });
  }
}

function invalid(issues: readonly FieldIssue[]): Refusal {
  return { code: 'invalid', message: issues.map((issue) => issue.message).join(' '), issues };
}
