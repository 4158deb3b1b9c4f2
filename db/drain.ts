/** Draining a server by hand: it takes no new work and ends its own. */

import { eq } from 'drizzle-orm';
import type { Actor } from '@/domain/actor';
import type { Refusal } from '@/domain/refusals';
import { accepted, type Result, refused } from '@/domain/result';
import type { Database } from './client';
import { recordEvent } from './events';
import { servers } from './schema/servers';
import { setDraining } from './servers';

/** Refuses for a server that is unknown, has departed, or is as wanted already. */
export async function changeDraining(
  db: Database,
  { serverId, draining, actor }: { serverId: string; draining: boolean; actor: Actor },
): Promise<Result<{ name: string }, Refusal>> {
  return db.transaction(async (tx): Promise<Result<{ name: string }, Refusal>> => {
    const [server] = await tx
      .select({ name: servers.name, state: servers.state })
      .from(servers)
      .where(eq(servers.id, serverId));
    if (server === undefined) return refused({ code: 'not-found', message: 'There is no such server.' });
    const { name } = server;
    if (!(await setDraining(tx, serverId, draining))) {
      const why = server.state === 'departed' ? 'has departed' : draining ? 'drains already' : 'does not drain';
      return refused({ code: 'refused', reason: 'moved-on', message: `${name} ${why}.`, also: [], holder: null });
    }
    await recordEvent(tx, {
      type: 'server.drain',
      result: 'ok',
      actor,
      serverId,
      summary: draining
        ? `${actor.name} drains ${name}: it takes no new work`
        : `${actor.name} ended the draining of ${name}`,
    });
    return accepted({ name });
  });
}
