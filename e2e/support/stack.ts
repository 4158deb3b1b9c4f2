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
  readonly tokens: StackFacts['tokens'];
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
  get tokens() {
    return open().tokens;
  },
};

/** Read late: specs are also loaded where nothing runs, to list them. */
function open(): Stack {
  if (opened !== undefined) return opened;
  const facts = stackFacts();
  opened = stackOf(facts, async (name, act) => {
    const response = await fetch(`${facts.control.url}/${name}/${act}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${facts.control.secret}` },
    });
    if (!response.ok) throw new Error(`${act} of ${name}: ${response.status} ${await response.text()}`);
  });
  return opened;
}

/** The same for programs that are the parent of the servers themselves. */
export function stackOf(
  facts: Omit<StackFacts, 'control'>,
  act: (program: string, what: StackAct) => Promise<void>,
): Stack {
  const programNamed = (name: string): StackProgram => ({
    kill: () => act(name, 'kill'),
    stop: () => act(name, 'stop'),
    restart: () => act(name, 'restart'),
    pause: () => act(name, 'pause'),
    resume: () => act(name, 'resume'),
  });
  const { databaseUrl, cronSecret, environment, tokens } = facts;
  return {
    servers: facts.servers.map(({ name, url }) => ({ name, url, ...programNamed(name) })),
    cron: programNamed('cron'),
    simulator: createSimulatorClient(facts.simulator),
    databaseUrl,
    cronSecret,
    environment,
    tokens,
  };
}
