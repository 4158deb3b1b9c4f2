/** The only reader of process.env. Everything is parsed once; what is missing or wrong is named and the server does not start. */
import 'server-only';
import { z } from 'zod';

const milliseconds = (fallback: number, { min, max }: { min: number; max: number }) =>
  z.coerce.number().int().min(min).max(max).default(fallback);
const flag = z
  .enum(['0', '1'])
  .default('0')
  .transform((value) => value === '1');

const environment = z.object({
  DATABASE_URL: z.string().regex(/^postgres(ql)?:\/\//, 'must begin with postgres://'),
  /** 32 bytes in base64; seals cluster CAs and tokens, and session keys are derived from it. */
  HOLDFAST_SECRET_KEY: z
    .string()
    .refine((text) => Buffer.from(text, 'base64').length === 32, 'must be 32 bytes in base64'),
  /** Unset means the cron route is closed. */
  CRON_SECRET: z.string().min(16).optional(),
  CLOUDSTACK_API_URL: z.url(),
  CLOUDSTACK_API_KEY: z.string().min(1),
  CLOUDSTACK_SECRET_KEY: z.string().min(1),
  /** Only what the header of each page says; no driver looks at it. */
  HOLDFAST_SIMULATED_CLOUD: flag,
  HOLDFAST_SIMULATOR_CONTROL_URL: z.url().optional(),
  HOLDFAST_SIMULATOR_CONTROL_SECRET: z.string().optional(),
  HOLDFAST_SERVER_NAME: z.string().min(1).max(63).default('server-1'),
  HOLDFAST_PUBLIC_URL: z.url().default('http://127.0.0.1:3000'),
  /** Further origins that browsers use, comma separated. */
  HOLDFAST_TRUSTED_ORIGINS: z.string().default(''),
  /** Addresses or CIDR ranges of reverse proxies, comma separated; only from these is X-Forwarded-For believed. */
  HOLDFAST_TRUSTED_PROXIES: z.string().default(''),
  HOLDFAST_ENVIRONMENT_LABEL: z.string().max(40).optional(),
  HOLDFAST_BEAT_MS: milliseconds(2_000, { min: 50, max: 60_000 }),
  HOLDFAST_LEASE_MS: milliseconds(8_000, { min: 300, max: 600_000 }),
  /** How often steps look again while they wait for a machine, an API or a node. */
  HOLDFAST_POLL_MS: milliseconds(1_000, { min: 20, max: 60_000 }),
  /** What the cron caller is set to; pages call a pass late after three of these. */
  HOLDFAST_CRON_PERIOD_MS: milliseconds(5_000, { min: 200, max: 600_000 }),
  HOLDFAST_JOB_RETENTION_HOURS: z.coerce
    .number()
    .min(24)
    .default(24 * 90),
  HOLDFAST_EXIT_WITH_PARENT: flag,
});

export type Environment = Readonly<z.infer<typeof environment>>;

/** What sign-in needs; programs such as the setup link read no more than this. */
const authEnvironment = environment.pick({
  DATABASE_URL: true,
  HOLDFAST_SECRET_KEY: true,
  CRON_SECRET: true,
  HOLDFAST_PUBLIC_URL: true,
  HOLDFAST_TRUSTED_ORIGINS: true,
  HOLDFAST_TRUSTED_PROXIES: true,
});
export type AuthEnvironment = Readonly<z.infer<typeof authEnvironment>>;

/** Parses the environment once. Throws an error that names every variable that is missing or wrong. */
export function readEnvironment(source: NodeJS.ProcessEnv = process.env): Environment {
  const parsed = orThrow(environment.safeParse(source));
  if (parsed.HOLDFAST_LEASE_MS < parsed.HOLDFAST_BEAT_MS * 3) {
    throw new Error('Holdfast does not start: HOLDFAST_LEASE_MS must be at least three times HOLDFAST_BEAT_MS.');
  }
  return parsed;
}

/** The narrow reader: never asks for the variables of the cloud. Throws as `readEnvironment` does. */
export function readAuthEnvironment(source: NodeJS.ProcessEnv = process.env): AuthEnvironment {
  return orThrow(authEnvironment.safeParse(source));
}

function orThrow<T>(parsed: z.ZodSafeParseResult<T>): T {
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
  throw new Error(`Holdfast does not start: environment variables are missing or wrong.\n${lines.join('\n')}`);
}

let cached: Environment | undefined;

export function env(): Environment {
  cached ??= readEnvironment();
  return cached;
}

let cachedAuth: AuthEnvironment | undefined;

export function authEnv(): AuthEnvironment {
  cachedAuth ??= readAuthEnvironment();
  return cachedAuth;
}
