/** A server of the product without Next: worker, lease and scanner over a real database and the memory cloud. */
import { randomUUID } from 'node:crypto';
import { type DatabaseHandle, openDatabase } from '@/db/client';
import { prepareHoldCheck } from '@/db/holds';
import { registerServer } from '@/db/servers';
import type { MemoryCloud } from '@/infrastructure/memory/create-memory-cloud';
import { createScanner, type ScannerContext } from '@/scanner/context';
import type { Clock, WorkerContext } from '@/worker/context';
import { realClock } from '@/worker/patience';
import { RunningJobs } from '@/worker/running-jobs';
import { createSealer } from '@/worker/sealer';

export interface TestServer {
  readonly handle: DatabaseHandle;
  readonly worker: WorkerContext;
  readonly scanner: ScannerContext;
  readonly id: string;
  /** What it logged as an error: a worker meets expected failures without any. */
  readonly errors: readonly string[];
  /** As a SIGKILL looks to everybody else: its lease is over, and it says nothing. Its workers stay where they stand. */
  die(): Promise<void>;
  close(): Promise<void>;
}

export const testInstallation = '00000000-0000-4000-8000-0000000000aa';
const leaseMs = 600_000;

export async function testServer(
  url: string,
  memory: Pick<MemoryCloud, 'cloud' | 'connectKubernetes'>,
  options: {
    name?: string;
    clock?: Clock;
    settings?: Partial<WorkerContext['settings']>;
    atMoment?: NonNullable<WorkerContext['atMoment']>;
    /** A pool that several servers share; who opened it closes it. */
    handle?: DatabaseHandle;
  } = {},
): Promise<TestServer> {
  const name = options.name ?? 'server-1';
  const handle = options.handle ?? openDatabase(url, { max: 6, name });
  const errors: string[] = [];
  const id = randomUUID();
  await registerServer(handle.db, { id, name, url: 'http://127.0.0.1', version: 'test', pid: process.pid, leaseMs });
  // A pass of this server may judge others: it has renewed without a gap for one lease.
  await handle.sql`update servers set renewed_since = clock_timestamp() - interval '1 day' where id = ${id}`;
  const worker: WorkerContext = {
    db: handle.db,
    cloud: memory.cloud,
    connectKubernetes: memory.connectKubernetes,
    lease: { serverId: id, serverName: name, whenTrusted: () => Promise.resolve() },
    running: new RunningJobs(),
    clock: options.clock ?? realClock,
    sealer: createSealer(Buffer.alloc(32, 7)),
    holdCheck: prepareHoldCheck(handle.db),
    settings: {
      installationId: testInstallation,
      pollMs: 5,
      stepAttempts: 3,
      retryMs: 1,
      cloudAccess: { apiUrl: 'http://cloud.invalid', apiKey: 'key', secretKey: 'secret' },
      autoscalerApiUrl: 'http://holdfast.invalid/client/api',
      ...options.settings,
    },
    ...(options.atMoment === undefined ? {} : { atMoment: options.atMoment }),
    log: (level, text, detail) => {
      if (level !== 'error') return;
      errors.push(`${text} ${JSON.stringify(detail)}`);
      console.error(text, detail);
    },
  };
  return {
    handle,
    worker,
    scanner: createScanner(worker, { beatMs: 2_000, leaseMs, retentionHours: 24 }),
    id,
    errors,
    die: async () => {
      await handle.sql`update servers set lease_until = clock_timestamp() - interval '1 second' where id = ${id}`;
    },
    close: () => (options.handle === undefined ? handle.close() : Promise.resolve()),
  };
}

/** Resolves when every job of this server has ended. */
export async function untilIdle(server: TestServer): Promise<void> {
  while (server.worker.running.ids().length > 0) await new Promise((resolve) => setTimeout(resolve, 5));
}
