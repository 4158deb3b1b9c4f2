/** The composition root: opens what a server needs, once a process, and is the only file that names a driver. */
import 'server-only';
import { deriveKey } from '@/auth/keys';
import { type DatabaseHandle, openDatabase } from '@/db/client';
import { installationId } from '@/db/clusters';
import { prepareHoldCheck } from '@/db/holds';
import { proveKey } from '@/db/installation';
import { refuseOtherSchema } from '@/db/schema-version';
import { env } from '@/env';
import { createCloudStack } from '@/infrastructure/cloudstack/create-cloudstack';
import { connectKubernetes } from '@/infrastructure/kube/connect-kubernetes';
import { refreshCatalogue } from '@/worker/catalogue';
import type { WorkerContext } from '@/worker/context';
import { realClock } from '@/worker/patience';
import { RunningJobs } from '@/worker/running-jobs';
import { createSealer } from '@/worker/sealer';
import { failJobsNobodyRuns } from '@/worker/self-check';
import { createServerLife, type ServerLife } from '@/worker/server-life';
import packageJson from './package.json' with { type: 'json' };

export const version: string = packageJson.version;

export interface Runtime extends DatabaseHandle {
  readonly worker: WorkerContext;
  readonly life: ServerLife;
  /** Registered and beating; set by `startRuntime`. */
  started: boolean;
}

const slot = Symbol.for('holdfast.runtime');
type Global = typeof globalThis & { [slot]?: Runtime };

/** How long a SIGTERM waits for step boundaries (design section 6). */
const gracefulStopMs = 20_000;
const catalogueMs = 30_000;
const cloudSettings = { stepAttempts: 6, retryMs: 500 } as const;

/** Everything shared lives on `globalThis`: start-up hook, routes and actions are separate bundles of one process. */
export function runtime(): Runtime {
  const holder = globalThis as Global;
  holder[slot] ??= open();
  return holder[slot];
}

function log(level: 'info' | 'warning' | 'error', text: string, detail: Record<string, unknown> = {}): void {
  const line = JSON.stringify({ at: new Date().toISOString(), level, text, ...detail });
  (level === 'error' ? process.stderr : process.stdout).write(`${line}\n`);
}

function open(): Runtime {
  const settings = env();
  const handle = openDatabase(settings.DATABASE_URL, { name: settings.HOLDFAST_SERVER_NAME });
  const running = new RunningJobs();
  const life = createServerLife({
    databaseUrl: settings.DATABASE_URL,
    name: settings.HOLDFAST_SERVER_NAME,
    url: settings.HOLDFAST_PUBLIC_URL,
    version,
    beatMs: settings.HOLDFAST_BEAT_MS,
    leaseMs: settings.HOLDFAST_LEASE_MS,
    clock: realClock,
    running,
    log,
  });
  const cloudAccess = {
    apiUrl: settings.CLOUDSTACK_API_URL,
    apiKey: settings.CLOUDSTACK_API_KEY,
    secretKey: settings.CLOUDSTACK_SECRET_KEY,
  };
  const worker: WorkerContext = {
    db: handle.db,
    cloud: createCloudStack({ ...cloudAccess, userAgent: `holdfast/${version}` }),
    connectKubernetes,
    lease: life.lease,
    running,
    clock: realClock,
    sealer: createSealer(deriveKey('cluster secrets')),
    holdCheck: prepareHoldCheck(handle.db),
    settings: {
      installationId: '',
      pollMs: settings.HOLDFAST_POLL_MS,
      ...cloudSettings,
      cloudAccess,
      autoscalerApiUrl: `${settings.HOLDFAST_PUBLIC_URL}/client/api`,
    },
    log,
  };
  return { ...handle, worker, life, started: false };
}

/**
 * Starts this server: refuses a database of another schema or another secret key, registers, beats, checks itself, and stops cleanly on
 * SIGTERM and SIGINT. Throws with a sentence that says what is wrong. Once a process.
 */
export async function startRuntime(): Promise<void> {
  const held = runtime();
  if (held.started) return;
  await refuseOtherSchema(held.sql);
  await proveKey(held.db, deriveKey('key check'));
  const id = await installationId(held.db);
  const worker = { ...held.worker, settings: { ...held.worker.settings, installationId: id } };
  Object.assign(held, { worker });
  held.life.onBeat(() => failJobsNobodyRuns(worker));
  // Forms and checks find what the cloud offers; a cloud that is away is asked again by whoever needs it.
  void refreshCatalogue(worker, AbortSignal.timeout(catalogueMs)).catch((error: unknown) =>
    log('warning', 'the cloud could not be asked what it offers', { error: String(error) }),
  );
  await held.life.start();
  held.started = true;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stopRuntime(signal));
  if (env().HOLDFAST_EXIT_WITH_PARENT) exitWithParent();
}

async function stopRuntime(signal: string): Promise<void> {
  log('info', `${signal}: no new work is taken; jobs end at their next step boundary`);
  const held = runtime();
  await held.life.stop(gracefulStopMs);
  await held.close();
  process.exit(0);
}

const parentCheckMs = 500;

/** Started by `npm run up`: a server whose parent is gone stops like one that was told to. */
function exitWithParent(): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, parentCheckMs);
  timer.unref();
}
