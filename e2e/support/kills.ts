/** Killing a server at a chosen step, and what must come of it. For specs and for `npm run kills`. */
import type { ClusterState } from '@/domain/states';
import type { Records } from './records';
import type { Gate, SimulatorClient } from './simulator-client';
import type { StackServer } from './stack';

/** The next call of this job within the step stands still at the cloud: nothing of it is done yet. */
export function holdAt(simulator: SimulatorClient, jobId: string, stepKey: string): Promise<Gate> {
  return simulator.addGate({ step: `${jobId}/*/${stepKey}*` });
}

export interface Recovered {
  /** From the end of the process to the committed transition, by PostgreSQL's clock. */
  readonly recoveredMs: number;
  readonly to: ClusterState;
  readonly reason: string | null;
}

/** Waits until a pass has taken the cluster from the job, and says when and to what. */
export async function untilRecovered(
  records: Records,
  jobId: string,
  killedAt: Date,
  withinMs: number,
): Promise<Recovered> {
  const { clusterId } = await records.job(jobId);
  await records.untilCluster(clusterId, `is free of ${jobId}`, ({ operationId }) => operationId !== jobId, withinMs);
  const [row] = await records.sql<{ to: ClusterState; at: Date; reason: string | null }[]>`
    select to_state as "to", at, reason from transitions where job_id = ${jobId} and cause = 'recovery'`;
  if (row !== undefined) {
    return { recoveredMs: row.at.getTime() - killedAt.getTime(), to: row.to, reason: row.reason };
  }
  // A delete keeps its state, so there is no transition to date it: the end of its job is, and its release was just seen.
  const [free] = await records.sql<{ now: Date; state: ClusterState; message: string | null }[]>`
    select clock_timestamp() as now, c.state, j.message from clusters c, jobs j where c.id = ${clusterId} and j.id = ${jobId}`;
  if (free === undefined) throw new Error(`cluster ${clusterId} or job ${jobId} is gone`);
  return { recoveredMs: free.now.getTime() - killedAt.getTime(), to: free.state, reason: free.message };
}

/** SIGKILL; the time is PostgreSQL's, taken when the process is gone. */
export async function killNow(records: Records, server: StackServer): Promise<Date> {
  await server.kill();
  const [row] = await records.sql<{ now: Date }[]>`select clock_timestamp() as now`;
  return row?.now ?? new Date();
}
