/*
 * components/jobs — lists of jobs and the page of one: what ran, where, how long, and what became of it.
 */
import { Ban, CircleCheck, CircleX, Hourglass, LifeBuoy, LoaderCircle, type LucideIcon } from 'lucide-react';
import type { Tone } from '@/components/ui/class-names';
import type { JobRow } from '@/db/queries/job-rows';
import { type JobReason, jobReasons } from '@/domain/jobs';
import { type OperationKind, operationKinds, operations } from '@/domain/operations';
import type { JobTabName } from './job-search';

export function knownKind(kind: string): OperationKind | undefined {
  return operationKinds.find((known) => known === kind);
}

/** "Upgrade"; a kind of another version of Holdfast keeps its own name. */
export function kindLabel(kind: string): string {
  const known = knownKind(kind);
  return known === undefined ? kind : operations[known].label;
}

export type JobLook = Exclude<JobTabName, 'all' | 'refused'>;

/** The tab a job belongs to; `recovered` are the failed ones that a pass ended. */
export function jobLook(job: Pick<JobRow, 'status' | 'reason' | 'endedByPassId'>): JobLook {
  if (job.status === 'in_progress') return 'in-progress';
  if (job.status !== 'failed') return job.status;
  const isRecovered = job.endedByPassId !== null || job.reason === 'recovered' || job.reason === 'server-departed';
  return isRecovered ? 'recovered' : 'failed';
}

export const looks: Readonly<Record<JobLook, { label: string; tone: Tone; icon: LucideIcon; meaning: string }>> = {
  'in-progress': { label: 'In progress', tone: 'info', icon: LoaderCircle, meaning: 'A worker runs it now.' },
  waiting: {
    label: 'Waiting',
    tone: 'violet',
    icon: Hourglass,
    meaning: 'A stop that takes over when the running start reaches a step boundary.',
  },
  succeeded: { label: 'Succeeded', tone: 'success', icon: CircleCheck, meaning: 'Every step was done.' },
  failed: { label: 'Failed', tone: 'danger', icon: CircleX, meaning: 'It ended without success; its reason says why.' },
  recovered: {
    label: 'Recovered',
    tone: 'warning',
    icon: LifeBuoy,
    meaning: 'Its server died. A recovery pass ended it and freed the cluster.',
  },
  cancelled: {
    label: 'Cancelled',
    tone: 'neutral',
    icon: Ban,
    meaning: 'It gave way or was withdrawn; nothing went wrong.',
  },
};

export function reasonWords(reason: JobReason): string {
  return jobReasons[reason];
}

/** Why a job ended as it did, in one line; null where there is nothing to say. */
export function outcomeText(job: Pick<JobRow, 'reason' | 'message'>): string | null {
  return job.message ?? (job.reason === null ? null : reasonWords(job.reason));
}

export const shortId = (id: string) => id.slice(0, 8);
