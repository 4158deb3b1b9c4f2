/** The running product, for specs: `stack.servers[1].kill()`, `stack.simulator`, `stack.databaseUrl`. */
import { createSimulatorClient, type SimulatorClient } from './simulator-client';
import type { StackAct } from './stack-control';
import { type StackFacts, stackFacts } from './stack-facts';

export interface StackProgram {
  /** SIGKILL: nothing is said, nothing is handed over. Resolves when the process is gone. */
  kill(): Promise<void>;
  /** SIGTERM: drains. Resolves when the process is gone. */
  stop(): Promise<void>;
  /** Kills it if it runs, starts it on the same port under the same name, and waits until it is ready. */
  restart(): Promise<void>;
  /** SIGSTOP: alive, holding its connections, and deaf. */
  pause(): Promise<void>;
  resume(): Promise<void>;
}

export interface StackServer extends StackProgram {
  readonly name: string;
  readonly url: string;
}

export interface Stack {
  readonly servers: readonly StackServer[];
  readonly cron: StackProgram;
  readonly simulator: SimulatorClient;
  readonly databaseUrl: string;
  readonly cronSecret: string;
  readonly environment: StackFacts['environment'];
}

let opened: Stack | undefined;

export const stack: Stack = {
  get servers() {
    return open().servers;
  },
  get cron() {
    return open().cron;
  },
  get simulator() {
    return open().simulator;
  },
  get databaseUrl() {
    return open().databaseUrl;
  },
  get cronSecret() {
    return open().cronSecret;
  },
  get environment() {
    return open().environment;
  },
};

/** Read late: specs are also loaded where nothing runs, to list them. */
function open(): Stack {
  if (opened !== undefined) return opened;
  const facts = stackFacts();
  opened = {
    servers: facts.servers.map(({ name, url }) => ({ name, url, ...programNamed(facts, name) })),
    cron: programNamed(facts, 'cron'),
    simulator: createSimulatorClient(facts.simulator),
    databaseUrl: facts.databaseUrl,
    cronSecret: facts.cronSecret,
    environment: facts.environment,
  };
  return opened;
}

function programNamed({ control }: StackFacts, name: string): StackProgram {
  const act = async (what: StackAct): Promise<void> => {
    const response = await fetch(`${control.url}/${name}/${what}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${control.secret}` },
    });
    if (!response.ok) throw new Error(`${what} of ${name}: ${response.status} ${await response.text()}`);
  };
  return {
    kill: () => act('kill'),
    stop: () => act('stop'),
    restart: () => act('restart'),
    pause: () => act('pause'),
    resume: () => act('resume'),
  };
}
