/*
 * db/ — what is stored: schema, client, the compare-and-set, the stores of jobs, steps, servers and facts, and the
 * reads of the pages. The only room that speaks SQL. No row leaves it: callers get plain values.
 */
import { customType, pgEnum, timestamp } from 'drizzle-orm/pg-core';
import { jobStatuses, stepStatuses, transitionCauses } from '@/domain/jobs';
import { clusterEvents, clusterStates } from '@/domain/states';

export const clusterState = pgEnum('cluster_state', clusterStates);
export const clusterEvent = pgEnum('cluster_event', clusterEvents);
export const jobStatus = pgEnum('job_status', jobStatuses);
export const stepStatus = pgEnum('step_status', stepStatuses);
export const transitionCause = pgEnum('transition_cause', transitionCauses);
export const serverState = pgEnum('server_state', ['up', 'draining', 'departed']);

/** Every time is a `timestamptz`, read as a Date. */
export function at(name: string) {
  return timestamp(name, { withTimezone: true, mode: 'date' });
}

/** Bytes that `secrets.ts` encrypted; never a readable text. */
export const sealed = customType<{ data: Buffer; driverData: Buffer }>({
  dataType: () => 'bytea',
});
