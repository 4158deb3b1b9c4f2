/**
 * A product of its own for a program that measures or proves: PostgreSQL, simulated cloud, servers and cron caller in a temporary
 * folder, on free ports. It ends what it started, whatever happens, and nothing else.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuild } from '../../scripts/lib-build.mjs';
import { ownSecretKey } from '../../scripts/lib-folder.mjs';
import { say } from '../../scripts/lib-say.mjs';
import { startPostgres, stopPostgres } from '../../scripts/postgres.mjs';
import { addTokens, createApi } from './api';
import { openRecords, type Records } from './records';
import { type Stack, type StackServer, stackOf } from './stack';
import { perform } from './stack-control';
import { startStack } from './start-stack';

export interface OwnStackOptions {
  readonly name: string;
  readonly serverCount: number;
  readonly settings: Readonly<Record<string, string>>;
  readonly speed: number;
  /** `127.n`: the simulated cloud's addresses exist once on a machine. */
  readonly subnet: string;
  /** Without fsync: for figures that are not about the disk. */
  readonly fastDisk: boolean;
}

export interface OwnStack {
  readonly stack: Stack;
  readonly records: Records;
  readonly apis: readonly ReturnType<typeof createApi>[];
  readonly folder: string;
  /** Ends PostgreSQL; started again it has the same port and data. */
  stopDatabase(): Promise<void>;
  startDatabase(): Promise<void>;
  server(name: string): StackServer;
}

/** Runs `work` with a product of its own, and ends that product. */
export async function withOwnStack<T>(options: OwnStackOptions, work: (own: OwnStack) => Promise<T>): Promise<T> {
  const ends: (() => Promise<unknown> | unknown)[] = [];
  let ending: Promise<void> | undefined;
  // Whoever asks waits for the one ending: what fails because of it must not end this process before it is over.
  const endAll = () => {
    ending ??= (async () => {
      for (const end of ends.toReversed()) await end();
    })();
    return ending;
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void endAll().finally(() => process.exit(130)));
  }
  try {
    return await work(await open(options, (end) => ends.push(end)));
  } finally {
    await endAll();
  }
}

async function open(
  options: OwnStackOptions,
  onStarted: (end: () => Promise<unknown> | unknown) => void,
): Promise<OwnStack> {
  const secretKey = ownSecretKey();
  await ensureBuild({ secretKey, log: say });
  const folder = mkdtempSync(join(tmpdir(), `holdfast-${options.name}-`));
  // PostgreSQL does not run as root and must be able to reach its data.
  chmodSync(folder, 0o755);
  onStarted(() => process.env['HOLDFAST_KEEP'] === '1' || rmSync(folder, { recursive: true, force: true }));
  const dataDir = join(folder, 'pg');
  mkdirSync(dataDir);
  const database = { dataDir, testSettings: options.fastDisk };
  const { url } = await startPostgres(database);
  onStarted(() => stopPostgres(dataDir));
  const { facts, programs } = await startStack({
    folder,
    databaseUrl: url,
    secretKey,
    cronSecret: 'a-secret-of-the-proofs',
    serverCount: options.serverCount,
    settings: options.settings,
    cloud: { SIMULATOR_SPEED: String(options.speed), SIMULATOR_SUBNET: options.subnet },
    onStarted,
  });
  const records = openRecords(url);
  onStarted(records.close);
  const tokens = await addTokens(records.sql);
  const stack = stackOf({ ...facts, tokens }, async (name, act) => {
    const controlled = programs.get(name);
    if (controlled === undefined) throw new Error(`there is no program ${name}`);
    await perform(controlled, act);
  });
  say(`${options.serverCount} servers run; logs: ${folder}`);
  return {
    stack,
    records,
    folder,
    apis: stack.servers.map((server) => createApi({ url: server.url, token: tokens.operator, records })),
    stopDatabase: async () => void (await stopPostgres(dataDir)),
    startDatabase: async () => void (await startPostgres(database)),
    server: (name) => {
      const found = stack.servers.find((server) => server.name === name);
      if (found === undefined) throw new Error(`there is no server ${name}`);
      return found;
    },
  };
}
