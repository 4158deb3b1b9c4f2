import 'server-only';
import type { Reader } from '@/db/queries/reader';
import type { Actor } from '@/domain/actor';
import { env } from '@/env';
import { runtime } from '@/runtime';

/** For `db/queries`: who reads, on this server. */
export function readerOf(actor: Actor): Reader {
  const { HOLDFAST_BEAT_MS: beatMs, HOLDFAST_LEASE_MS: leaseMs, HOLDFAST_CRON_PERIOD_MS: cronPeriodMs } = env();
  return { actor, serverId: runtime().worker.lease.serverId, beatMs, leaseMs, cronPeriodMs };
}
