/** Steps of a job: begun, reported and ended under the hold, so that a lost worker writes none of them. */
import { and, eq, sql } from 'drizzle-orm';
import type { StepStatus } from '@/domain/jobs';
import type { Transaction } from './client';
import { jobLogs, jobSteps, jobs } from './schema/jobs';

export interface StepRow {
  readonly name: string;
  readonly ordinal: number;
  readonly label: string;
}

/** Writes the whole plan's length when a job sets out; steps get their rows as they begin. */
export async function recordPlan(tx: Transaction, jobId: string, stepsTotal: number): Promise<void> {
  await tx.update(jobs).set({ stepsTotal, progressAt: sql`clock_timestamp()` }).where(eq(jobs.id, jobId));
}

/** Begins a step, or begins it again: the row of an earlier attempt is taken over. */
export async function beginStep(tx: Transaction, jobId: string, step: StepRow, attempt: number): Promise<void> {
  await tx
    .insert(jobSteps)
    .values({ jobId, ...step, status: 'running', attempt })
    .onConflictDoUpdate({
      target: [jobSteps.jobId, jobSteps.name],
      set: { status: 'running', attempt, endedAt: null, error: null },
    });
  // Beside a step that has failed, one that begins later must not take its place on the page.
  const failed = tx
    .select({ label: jobSteps.label })
    .from(jobSteps)
    .where(and(eq(jobSteps.jobId, jobId), eq(jobSteps.status, 'failed')))
    .limit(1);
  await tx
    .update(jobs)
    .set({ currentStep: sql`coalesce((${failed}), ${step.label})`, progressAt: sql`clock_timestamp()` })
    .where(eq(jobs.id, jobId));
}

/**
 * Ends a step and counts it when it is done; once, though the write may be repeated after an unclear commit. A failed one is what the
 * job's page names: steps that ran beside it may have begun later.
 */
export async function endStep(
  tx: Transaction,
  jobId: string,
  name: string,
  end: { status: Exclude<StepStatus, 'running'>; error?: string | null; checkpoint?: Record<string, unknown> | null },
): Promise<void> {
  const [ended] = await tx
    .update(jobSteps)
    .set({
      status: end.status,
      endedAt: sql`clock_timestamp()`,
      error: end.error ?? null,
      checkpoint: end.checkpoint ?? null,
    })
    .where(and(eq(jobSteps.jobId, jobId), eq(jobSteps.name, name), eq(jobSteps.status, 'running')))
    .returning({ label: jobSteps.label });
  if (ended === undefined) return;
  if (end.status === 'failed') await tx.update(jobs).set({ currentStep: ended.label }).where(eq(jobs.id, jobId));
  if (end.status === 'done' || end.status === 'skipped') {
    await tx
      .update(jobs)
      .set({ stepsDone: sql`${jobs.stepsDone} + 1`, progressAt: sql`clock_timestamp()` })
      .where(eq(jobs.id, jobId));
  }
}

export async function reportStep(tx: Transaction, jobId: string, name: string, message: string): Promise<void> {
  await tx
    .update(jobSteps)
    .set({ message })
    .where(and(eq(jobSteps.jobId, jobId), eq(jobSteps.name, name)));
  await tx.update(jobs).set({ progressAt: sql`clock_timestamp()` }).where(eq(jobs.id, jobId));
  await tx.insert(jobLogs).values({ jobId, step: name, text: message });
}

export async function logLine(
  tx: Transaction,
  jobId: string,
  line: { step: string | null; level: 'info' | 'warning' | 'error'; text: string },
): Promise<void> {
  await tx.insert(jobLogs).values({ jobId, ...line });
}
