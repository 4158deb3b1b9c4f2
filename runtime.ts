/** The composition root: opens what a server needs, once a process, and is the only file that names a driver. */
import 'server-only';
import { type DatabaseHandle, openDatabase } from '@/db/client';
import { env } from '@/env';

export interface Runtime extends DatabaseHandle {
  /** This boot; a restart is another server. */
  readonly serverId: string;
}

const slot = Symbol.for('holdfast.runtime');
type Global = typeof globalThis & { [slot]?: Runtime };

/** Everything shared lives on `globalThis`: start-up hook, routes and actions are separate bundles of one process. */
export function runtime(): Runtime {
  const holder = globalThis as Global;
  holder[slot] ??= { ...openDatabase(env().DATABASE_URL, { name: env().HOLDFAST_SERVER_NAME }), serverId: crypto.randomUUID() };
  return holder[slot];
}
