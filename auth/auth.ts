import 'server-only';
import { authEnv } from '@/env';
import { runtime } from '@/runtime';
import { watchPeerAddresses } from './client-address';
import { type Auth, createAuth } from './create-auth';

const slot = Symbol.for('holdfast.auth');
type Global = typeof globalThis & { [slot]?: Auth };

/** This process's instance, made at first use and never at import, so that a build needs no environment. */
export function auth(): Auth {
  const holder = globalThis as Global;
  watchPeerAddresses();
  holder[slot] ??= createAuth(runtime().db, authEnv());
  return holder[slot];
}
