/** Starts the product for proofs: the simulated cloud, app servers of one build on one database, a cron caller. Nothing else. */
import { join } from 'node:path';
import { freePort } from '../../scripts/lib-ports.mjs';
import { projectRoot } from '../../scripts/lib-run.mjs';
import { migrate, productEnvironment, serverEnvironment, serverUrl, serverWords } from '../../scripts/lib-servers.mjs';
import { startSimulator } from '../../scripts/lib-simulator.mjs';
import { supervise, waitForAnswer } from '../../scripts/lib-supervise.mjs';
import type { Controlled } from './stack-control';
import type { StackFacts } from './stack-facts';

export interface StackOptions {
  /** For logs and the simulated cloud's data. */
  readonly folder: string;
  readonly databaseUrl: string;
  readonly secretKey: string;
  readonly cronSecret: string;
  readonly serverCount: number;
  /** HOLDFAST_ variables of every server and of the cron caller. */
  readonly settings: Readonly<Record<string, string>>;
  /** SIMULATOR_ variables. */
  readonly cloud: Readonly<Record<string, string>>;
  /** Gets the end of each thing as soon as it is started, so that a start that fails half-way leaves nothing behind. */
  readonly onStarted: (end: () => Promise<unknown> | unknown) => void;
}

export interface StartedStack {
  readonly facts: Omit<StackFacts, 'control' | 'tokens'>;
  readonly programs: ReadonlyMap<string, Controlled>;
}

const readyWithinMs = 60_000;

export async function startStack(options: StackOptions): Promise<StartedStack> {
  const { folder, databaseUrl, secretKey, cronSecret, onStarted } = options;
  const ports = await distinctPorts(options.serverCount);
  const env = { ...productEnvironment({ databaseUrl, secretKey, cronSecret, ports }), ...options.settings };
  const [cloud] = await Promise.all([startCloud(options), migrate(env)]);
  onStarted(() => cloud.program.stop(5000));

  const environment = { ...env, ...cloud.productEnv };
  const programs = new Map<string, Controlled>();
  const servers = ports.map((port, index) => {
    const name = `server-${index + 1}`;
    const program = supervise({
      name,
      words: serverWords(port),
      env: { ...environment, ...serverEnvironment({ name, port, secretKey }) },
      logFile: join(folder, `${name}.log`),
      restart: false,
    });
    onStarted(() => program.stop(10_000));
    programs.set(name, { program, readyUrl: `${serverUrl(port)}/api/health/ready` });
    return { name, url: serverUrl(port) };
  });
  await Promise.all(
    [...programs.values()].map(({ program, readyUrl }) =>
      waitForAnswer(program, readyUrl ?? '', { withinMs: readyWithinMs }),
    ),
  );
  const cron = supervise({
    name: 'cron',
    words: [process.execPath, join(projectRoot, 'scripts', 'cron.mjs')],
    env: {
      ...environment,
      HOLDFAST_CRON_TARGETS: servers.map(({ url }) => url).join(','),
      HOLDFAST_EXIT_WITH_PARENT: '1',
    },
    logFile: join(folder, 'cron.log'),
    restart: false,
  });
  onStarted(() => cron.stop(5000));
  programs.set('cron', { program: cron });

  const { apiUrl, controlUrl, controlSecret } = cloud;
  const simulator = { apiUrl, controlUrl, controlSecret };
  return { facts: { servers, databaseUrl, cronSecret, environment, simulator }, programs };
}

async function distinctPorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}

function startCloud({ folder, cloud }: StackOptions) {
  return startSimulator({
    settingsFile: join(folder, 'simulator.json'),
    dataDir: join(folder, 'simulator'),
    logFile: join(folder, 'simulator.log'),
    restart: false,
    anyPort: true,
    env: { ...cloud },
  });
}
