/** App servers and the programs around them: with which words and which environment each is started. */
import { serverActionsKey } from './lib-build.mjs';
import { packageFile, runCommand } from './lib-run.mjs';
import { PlainError } from './lib-say.mjs';

/** Runs a TypeScript program of the product; the condition is what lets it import server-only files. @param {string} file @param {string[]} args */
export function programWords(file, args = []) {
  return [process.execPath, '--conditions=react-server', '--import', 'tsx', file, ...args];
}

/** @param {number} port @param {{ dev?: boolean }} [options] */
export function serverWords(port, { dev = false } = {}) {
  // Node itself and not npx: signals arrive, and there are no processes in between.
  return [
    process.execPath,
    packageFile('next/dist/bin/next'),
    dev ? 'dev' : 'start',
    '-H',
    '127.0.0.1',
    '-p',
    String(port),
  ];
}

/**
 * What every process of the product is told.
 * @param {{ databaseUrl: string, secretKey: string, cronSecret: string, ports: number[] }} facts
 */
export function productEnvironment({ databaseUrl, secretKey, cronSecret, ports }) {
  const own = ports.flatMap((port) => [`http://127.0.0.1:${port}`, `http://localhost:${port}`]);
  const asked = (process.env['HOLDFAST_TRUSTED_ORIGINS'] ?? '').split(',').filter((origin) => origin.trim() !== '');
  return {
    DATABASE_URL: databaseUrl,
    HOLDFAST_SECRET_KEY: secretKey,
    CRON_SECRET: cronSecret,
    HOLDFAST_PUBLIC_URL: process.env['HOLDFAST_PUBLIC_URL'] || serverUrl(ports[0] ?? 3000),
    HOLDFAST_TRUSTED_ORIGINS: [...new Set([...asked, ...own])].join(','),
    NEXT_TELEMETRY_DISABLED: '1',
  };
}

/** @param {{ name: string, port: number, secretKey: string, dev?: boolean }} facts */
export function serverEnvironment({ name, port, secretKey, dev = false }) {
  return {
    PORT: String(port),
    HOLDFAST_SERVER_NAME: name,
    // Each server names itself, unless people reach all of them under one address.
    HOLDFAST_PUBLIC_URL: process.env['HOLDFAST_PUBLIC_URL'] || serverUrl(port),
    HOLDFAST_EXIT_WITH_PARENT: '1',
    // Next's own handler would wait for every open live stream; the product has one that does not.
    NEXT_MANUAL_SIG_HANDLE: '1',
    NEXT_SERVER_ACTIONS_ENCRYPTION_KEY: serverActionsKey(secretKey),
    NODE_ENV: dev ? 'development' : 'production',
  };
}

/** @param {number} port */
export function serverUrl(port) {
  return `http://127.0.0.1:${port}`;
}

/** @param {Record<string, string | undefined>} env */
export async function migrate(env) {
  const { code, output } = await runCommand(programWords('db/migrate.ts'), { env, timeoutMs: 5 * 60_000 });
  if (code !== 0)
    throw new PlainError(`The database could not be reached or brought to this version.\n${reasonIn(output)}`);
}

/**
 * @param {Record<string, string | undefined>} env
 * @param {{ onlyIfNoUser: boolean }} options
 * @returns {Promise<string | undefined>} undefined when there is a user already
 */
export async function setupLink(env, { onlyIfNoUser }) {
  const words = programWords('auth/setup-link.ts', onlyIfNoUser ? ['--if-no-user'] : []);
  const { code, output } = await runCommand(words, { env, timeoutMs: 60_000 });
  if (code !== 0) throw new PlainError(`The set-up link could not be made.\n${reasonIn(output)}`);
  return /^https?:\/\/\S+$/m.exec(output)?.[0];
}

/** The sentence in a stack trace. @param {string} output */
function reasonIn(output) {
  const line = output.split('\n').find((text) => /^\s*\S*Error\b.*?: /.test(text));
  return (line ?? output.trim().slice(-1000)).trim().slice(0, 1000);
}
