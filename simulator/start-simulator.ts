/** Puts the simulated cloud together and starts it. */
import type { Server } from 'node:http';
import { join } from 'node:path';
import { seedCatalogue } from '@/simulator/cloudstack/catalogue';
import { Jobs } from '@/simulator/cloudstack/jobs';
import { createApiServer } from '@/simulator/cloudstack/server';
import { createControlServer } from '@/simulator/control/server';
import { Clock } from '@/simulator/core/clock';
import { Faults, Gates } from '@/simulator/core/faults';
import { isObject, numberAt } from '@/simulator/core/json';
import { Ledger } from '@/simulator/core/ledger';
import { Random } from '@/simulator/core/random';
import { Records } from '@/simulator/core/records';
import { Clusters } from '@/simulator/kubernetes/clusters';
import { Edges } from '@/simulator/kubernetes/edges';
import { runBootScript } from '@/simulator/machine/boot';
import { scheduleExpunge } from '@/simulator/machine/power';
import { settleMachines } from '@/simulator/machine/settle';
import { defaultSettings, type Settings } from './settings';
import type { World } from './world';

export interface Simulator {
  apiUrl: string;
  controlUrl: string;
  stop: () => Promise<void>;
}

function createWorld(settings: Settings): World {
  const unexpected = (error: unknown) => console.error('simulator:', error);
  const clock = new Clock(settings.speed, unexpected);
  const records = new Records(settings.dataDirectory);
  const ledger = new Ledger(settings.dataDirectory === null ? null : join(settings.dataDirectory, 'ledger.jsonl'), () =>
    clock.now(),
  );
  let changePlanned = false;
  const world: World = {
    settings,
    clock,
    records,
    ledger,
    faults: new Faults(records, clock),
    gates: new Gates(),
    random: new Random(settings.seed),
    get jobs() {
      return jobs;
    },
    get clusters() {
      return clusters;
    },
    get edges() {
      return edges;
    },
    apiUrl: '',
    tagsOf: (resourceId) => records.tagsOf(resourceId),
    changed: () => {
      if (changePlanned) return;
      changePlanned = true;
      setImmediate(() => {
        changePlanned = false;
        clusters.recheck();
        edges.reconcile();
      });
    },
    effect: (what, origin, details) => ledger.effect(what, origin, details),
    unexpected,
  };
  const jobs = new Jobs(world);
  const clusters = new Clusters(world);
  const edges = new Edges(world);
  return world;
}

/** What a management server does when it comes back: fails what was under way, and goes by what the hosts say. */
export function recoverAfterRestart(world: World): void {
  world.jobs.failUnfinished();
  settleMachines(world);
}

/** After a start of the whole process the machines' own scripts have to go on as well. */
function resumeMachines(world: World): void {
  for (const machine of world.records.all('machine')) {
    if (machine.state === 'Destroyed') scheduleExpunge(world, machine);
    const finished = machine.inside.phase === 'done' || machine.inside.phase === 'failed';
    if (!machine.hostRunning || finished) continue;
    machine.inside.run += 1;
    world.records.save('machine', machine);
    runBootScript(world, machine.id, machine.inside.run);
  }
}

function listen(server: Server, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      resolve(`http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : port}`);
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** Starts the cloud; what is not given is as in `defaultSettings`. Rejects when a port is taken. */
export async function startSimulator(options: Partial<Settings> = {}): Promise<Simulator> {
  const settings: Settings = { ...defaultSettings, ...options };
  const world = createWorld(settings);
  const clock = world.records.get('setting', 'clock')?.value;
  if (isObject(clock)) world.clock.restoreOffset(numberAt(clock, 'offsetMs') ?? 0);
  seedCatalogue(world.records, settings);
  world.clusters.load();
  recoverAfterRestart(world);
  resumeMachines(world);
  const api = createApiServer(world);
  const control = createControlServer(world);
  const apiUrl = `${await listen(api, settings.port)}/client/api`;
  const controlUrl = await listen(control, settings.controlPort);
  world.apiUrl = apiUrl;
  return {
    apiUrl,
    controlUrl,
    stop: async () => {
      world.gates.clear();
      await Promise.all([close(api), close(control), world.edges.closeAll()]);
      world.clusters.close();
      world.clock.stop();
      world.records.close();
      world.ledger.flush();
    },
  };
}
