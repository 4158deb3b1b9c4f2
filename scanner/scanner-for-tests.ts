/** For tests of passes: a scanner on a test's database, with a cloud that is silent unless the test brings one. */
import type { Database } from '@/db/client';
import { prepareHoldCheck } from '@/db/holds';
import { type Cloud, CloudError } from '@/infrastructure/cloud';
import type { ConnectKubernetes } from '@/infrastructure/kubernetes';
import type { WorkerContext } from '@/worker/context';
import { realClock } from '@/worker/patience';
import { RunningJobs } from '@/worker/running-jobs';
import { createSealer } from '@/worker/sealer';
import { createScanner, type ScannerContext, type ScannerSettings } from './context';

export interface TestScannerOptions {
  readonly db: Database;
  readonly serverId: string;
  readonly cloud?: Cloud;
  readonly connectKubernetes?: ConnectKubernetes;
  readonly settings?: Partial<ScannerSettings>;
  /** False: jobs are accepted and stay in progress, so that a test can look at them at leisure. */
  readonly runsJobs?: boolean;
}

class IdleJobs extends RunningJobs {
  override start(): void {
    // Claimed, and never run.
  }
}

export const testInstallationId = '00000000-0000-4000-8000-00000000f00d';
/** Any 32 bytes: what tests seal they open in the same process. */
export const testSealer = createSealer(Buffer.alloc(32, 7));

export function testScanner(options: TestScannerOptions): ScannerContext {
  const worker: WorkerContext = {
    db: options.db,
    cloud: options.cloud ?? silentCloud,
    connectKubernetes:
      options.connectKubernetes ??
      (() => {
        throw new Error('this test reaches no cluster');
      }),
    lease: { serverId: options.serverId, serverName: 'server-of-test', whenTrusted: () => Promise.resolve() },
    running: options.runsJobs === false ? new IdleJobs() : new RunningJobs(),
    clock: realClock,
    sealer: testSealer,
    holdCheck: prepareHoldCheck(options.db),
    settings: {
      installationId: testInstallationId,
      pollMs: 20,
      stepAttempts: 1,
      retryMs: 10,
      cloudAccess: { apiUrl: 'http://cloud.invalid', apiKey: 'key', secretKey: 'secret' },
      autoscalerApiUrl: 'http://holdfast.invalid',
    },
    log: () => undefined,
  };
  return createScanner(worker, { beatMs: 2_000, leaseMs: 8_000, retentionHours: 24, ...options.settings });
}

/** A cloud that answers nothing: every call is refused as unreachable. */
export const silentCloud: Cloud = new Proxy({} as Cloud, {
  get: (_target, command) => () =>
    Promise.reject(new CloudError('transient', 'nobody answers', { command: String(command) })),
});
