/** All routes of the control port; here those of the whole cloud and of clusters. */
import { defaultLimits, seedCatalogue } from '@/simulator/cloudstack/catalogue';
import type { Cluster } from '@/simulator/core/machine-model';
import { settleMachines } from '@/simulator/machine/settle';
import { faultRoutes } from './faults';
import { outOfBandRoutes } from './out-of-band';
import { ControlError, type ControlRequest, clusterOf, numberIn, type Route, textIn } from './request';
import { wholeState } from './state';

function clock({ world, body }: ControlRequest) {
  const factor = numberIn(body, 'factor');
  const stepMs = numberIn(body, 'stepMs');
  if (factor !== undefined && factor < 0) throw new ControlError(400, 'factor must be 0 or more');
  if (factor !== undefined) world.clock.setFactor(factor);
  if (stepMs !== undefined) {
    world.clock.step(stepMs);
    world.records.save('setting', { id: 'clock', value: { offsetMs: world.clock.offsetMs } });
    for (const runtime of world.clusters.all()) runtime.wake();
  }
  return { factor: world.clock.factor, now: new Date(world.clock.now()).toISOString() };
}

/** Everything back to the first start: no machines, no clusters, no faults, no gates. The ledger goes on. */
function reset({ world }: ControlRequest) {
  world.gates.clear();
  world.jobs.failUnfinished();
  world.clusters.clear();
  world.records.clear();
  seedCatalogue(world.records, world.settings);
  world.changed();
  return { reset: true };
}

function restart({ world }: ControlRequest) {
  world.jobs.failUnfinished();
  settleMachines(world);
  return { restarted: true };
}

function limits({ world, body }: ControlRequest) {
  const before = world.records.get('setting', 'limits')?.value ?? defaultLimits;
  const value = { ...before, ...body };
  world.records.save('setting', { id: 'limits', value });
  return value;
}

const apiStates: readonly Cluster['api'][] = ['up', 'down', 'unready', 'readonly', 'slow', 'expired'];

function api(request: ControlRequest) {
  const runtime = clusterOf(request);
  const { cluster } = runtime;
  const state = apiStates.find((candidate) => candidate === textIn(request.body, 'state'));
  if (state === undefined) throw new ControlError(400, `state must be one of ${apiStates.join(', ')}`);
  cluster.api = state;
  request.world.records.save('cluster', cluster);
  request.world.changed();
  runtime.wake();
  return { api: state };
}

/** How many pods wait for room (autoscaler), or null for none. */
function load(request: ControlRequest) {
  const runtime = clusterOf(request);
  runtime.cluster.loadPods = numberIn(request.body, 'pods') ?? null;
  request.world.records.save('cluster', runtime.cluster);
  runtime.wake();
  return { pods: runtime.cluster.loadPods };
}

/** Holds evictions: `name` is `<namespace>/<budget or pod>` or `*`; `evictions` how many are still refused, null for ever, 0 none. */
function pdb(request: ControlRequest) {
  const runtime = clusterOf(request);
  const name = textIn(request.body, 'name') ?? '*';
  const evictions = request.body['evictions'] === null ? null : numberIn(request.body, 'evictions');
  if (evictions === undefined || evictions === 0) runtime.heldBudgets.delete(name);
  else runtime.heldBudgets.set(name, evictions);
  return { held: Object.fromEntries(runtime.heldBudgets) };
}

export const routes: readonly Route[] = [
  ...faultRoutes,
  ...outOfBandRoutes,
  {
    method: 'GET',
    path: /^\/ledger$/,
    run: ({ world, query }) => ({
      lastSequence: world.ledger.lastSequence,
      entries: world.ledger.since(Number(query.get('since') ?? 0)),
    }),
  },
  { method: 'GET', path: /^\/state$/, run: ({ world }) => wholeState(world) },
  { method: 'GET', path: /^\/clock$/, run: clock },
  { method: 'POST', path: /^\/clock$/, run: clock },
  { method: 'POST', path: /^\/reset$/, run: reset },
  { method: 'POST', path: /^\/restart$/, run: restart },
  { method: 'POST', path: /^\/limits$/, run: limits },
  { method: 'POST', path: /^\/cluster\/([^/]+)\/api$/, run: api },
  { method: 'POST', path: /^\/cluster\/([^/]+)\/load$/, run: load },
  { method: 'POST', path: /^\/cluster\/([^/]+)\/pdb$/, run: pdb },
];
