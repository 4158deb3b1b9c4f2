import 'server-only';
import type { Reader } from '@/db/queries/reader';
import type { Actor } from '@/domain/actor';
import { env } from '@/env';
import { runtime } from '@/runtime';

/** For `db/queries`: who reads, on this server. */
export function readerOf(actor: Actor): Reader {
  return { actor, serverId: runtime().worker.lease.serverId, beatMs: env().HOLDFAST_BEAT_MS };
}
