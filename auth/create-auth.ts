import 'server-only';
import { betterAuth } from 'better-auth';
import { drizzleAdapter } from 'better-auth/adapters/drizzle';
import { nextCookies } from 'better-auth/next-js';
import { admin } from 'better-auth/plugins';
import { createAccessControl } from 'better-auth/plugins/access';
import { adminAc, defaultStatements } from 'better-auth/plugins/admin/access';
import type { Database } from '@/db/client';
import { accounts, rateLimits, sessions, users, verifications } from '@/db/schema/auth';
import type { AuthEnvironment } from '@/env';
import { maxPasswordLength, minPasswordLength } from './account-input';
import { deriveKey } from './keys';
import { trustedOrigins } from './origins';
import { addressHeader, cookiePrefix } from './request-headers';

const sessionLifeSeconds = 60 * 60 * 24 * 7;
const sessionRenewSeconds = 60 * 60 * 24;

const control = createAccessControl(defaultStatements);
const nothing = control.newRole({ user: [], session: [] });

/** Sign-in on our tables. Nobody can sign up; accounts are made by admins and by setup links only. */
export function createAuth(db: Database, settings: AuthEnvironment) {
  return betterAuth({
    appName: 'Holdfast',
    baseURL: settings.HOLDFAST_PUBLIC_URL,
    secret: deriveKey('session', settings.HOLDFAST_SECRET_KEY).toString('base64'),
    trustedOrigins: trustedOrigins(settings),
    database: drizzleAdapter(db, {
      provider: 'pg',
      schema: { user: users, session: sessions, account: accounts, verification: verifications, rateLimit: rateLimits },
      transaction: true,
    }),
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength,
      maxPasswordLength,
      revokeSessionsOnPasswordReset: true,
    },
    session: { expiresIn: sessionLifeSeconds, updateAge: sessionRenewSeconds },
    rateLimit: {
      enabled: true,
      storage: 'database',
      window: 60,
      max: 120,
      // Sign-in has its own counters (sign-in.ts); the others guess nothing.
      customRules: { '/sign-in/email': false, '/get-session': false, '/sign-out': false },
    },
    advanced: {
      cookiePrefix,
      useSecureCookies: settings.HOLDFAST_PUBLIC_URL.startsWith('https://'),
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax' },
      ipAddress: { ipAddressHeaders: [addressHeader] },
    },
    telemetry: { enabled: false },
    logger: { level: 'error' },
    plugins: [
      admin({
        ac: control,
        roles: { viewer: nothing, operator: nothing, admin: adminAc },
        defaultRole: 'viewer',
        adminRoles: ['admin'],
        bannedUserMessage: 'This account is disabled. Ask an admin.',
      }),
      nextCookies(),
    ],
  });
}

export type Auth = ReturnType<typeof createAuth>;
