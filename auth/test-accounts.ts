/** For tests of this room: an installation's settings and accounts that can sign in. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hashPassword } from 'better-auth/crypto';
import type { Database } from '@/db/client';
import { createUser } from '@/db/users';
import { cronActor, type Role } from '@/domain/actor';
import { readAuthEnvironment } from '@/env';
import { watchPeerAddresses } from './client-address';
import type { Auth } from './create-auth';
import { peerHeader } from './request-headers';

export const testPassword = 'correct horse battery';

export const testSettings = readAuthEnvironment({
  NODE_ENV: 'test',
  DATABASE_URL: 'postgres://unused',
  HOLDFAST_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  HOLDFAST_PUBLIC_URL: 'http://127.0.0.1:3000',
});

export async function addAccount(db: Database, email: string, role: Role): Promise<string> {
  const passwordHash = await hashPassword(testPassword);
  const made = await createUser(db, {
    actor: cronActor,
    name: email.split('@')[0] ?? email,
    email,
    role,
    passwordHash,
  });
  if (!made.ok) throw new Error(made.refusal.message);
  return made.value.id;
}

/** Headers as the browser of somebody who just signed in sends them. */
export async function signedInHeaders(auth: Auth, email: string): Promise<Headers> {
  const response = await auth.api.signInEmail({ body: { email, password: testPassword }, asResponse: true });
  const cookie = response.headers.get('set-cookie')?.split(';')[0];
  if (cookie === undefined) throw new Error(`${email} could not sign in: ${response.status}`);
  return new Headers({ cookie, host: '127.0.0.1:3000', origin: 'http://127.0.0.1:3000' });
}

/** Headers of a request that really came over a socket, from 127.0.0.1, and so carry its sealed address. */
export async function headersFromSocket(): Promise<Headers> {
  watchPeerAddresses();
  const server = createServer((incoming, response) => response.end(String(incoming.headers[peerHeader])));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const peer = await answer.text();
  server.close();
  return new Headers({ [peerHeader]: peer });
}
