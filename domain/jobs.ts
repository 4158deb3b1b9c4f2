/** A refused request is no job, only an event. `waiting` is a stop that will take over from a start. */
export const jobStatuses = ['in_progress', 'waiting', 'succeeded', 'failed', 'cancelled'] as const;
export type JobStatus = (typeof jobStatuses)[number];

export const stepStatuses = ['running', 'done', 'failed', 'skipped', 'stopped'] as const;
export type StepStatus = (typeof stepStatuses)[number];

/** Why a job did not succeed; constants, shown to people with their words. */
export const jobReasons = {
  'step-failed': 'A step failed.',
  'timed-out': 'It took longer than allowed.',
  recovered: 'Its server died; a recovery pass ended it.',
  'server-stopping': 'Its server was asked to stop; it ended at a step boundary.',
  'server-departed': 'Its server lost its lease.',
  'not-in-memory': 'Its server found no worker for it.',
  'ended-by-admin': 'An admin ended it.',
  'foreign-write': 'The cluster was changed by an unknown writer.',
  'handed-over': 'It gave way to a stop that waited for it.',
  withdrawn: 'It was withdrawn while it waited.',
  'start-ended': 'The start it waited for ended first.',
} as const;
export type JobReason = keyof typeof jobReasons;

/** How a job changed a cluster's state; each transition row carries one. */
export const transitionCauses = [
  'create',
  'entry',
  'end',
  'recovery',
  'hand-over',
  'drift',
  'admin-end',
  'foreign',
] as const;
export type TransitionCause = (typeof transitionCauses)[number];
