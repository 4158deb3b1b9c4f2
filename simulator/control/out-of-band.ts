/** What happens behind everybody's back: machines stopped or destroyed, hosts down, rules gone, catalogue changed. */
import { releaseAddress, removeRecord } from '@/simulator/cloudstack/commands-networks';
import { noOrigin } from '@/simulator/core/ledger';
import { placeMachine } from '@/simulator/machine/placement';
import {
  detachFromRules,
  forgetMachine,
  powerOff,
  powerOn,
  scheduleExpunge,
  setState,
} from '@/simulator/machine/power';
import { booleanIn, ControlError, type ControlRequest, machineOf, type Route, textIn } from './request';

function stop(request: ControlRequest) {
  const machine = machineOf(request);
  powerOff(request.world, machine);
  machine.hostId = null;
  setState(request.world, machine, 'Stopped');
  request.world.effect('machine stopped behind the back', noOrigin, { id: machine.id, name: machine.name });
  return { state: machine.state };
}

function start(request: ControlRequest) {
  const machine = machineOf(request);
  if (machine.state !== 'Stopped') throw new ControlError(409, `the machine is ${machine.state}`);
  const host = placeMachine(request.world, machine);
  if (host === null) throw new ControlError(409, 'no host has room');
  machine.hostId = host.id;
  setState(request.world, machine, 'Running');
  powerOn(request.world, machine);
  request.world.effect('machine started behind the back', noOrigin, { id: machine.id, name: machine.name });
  return { state: machine.state };
}

function destroy(request: ControlRequest) {
  const machine = machineOf(request);
  powerOff(request.world, machine);
  detachFromRules(request.world, machine);
  setState(request.world, machine, 'Destroyed');
  scheduleExpunge(request.world, machine);
  request.world.effect('machine destroyed behind the back', noOrigin, { id: machine.id, name: machine.name });
  return { state: machine.state };
}

function expunge(request: ControlRequest) {
  const machine = machineOf(request);
  forgetMachine(request.world, machine, noOrigin);
  return { state: 'Expunged' };
}

function rename(request: ControlRequest) {
  const machine = machineOf(request);
  machine.name = textIn(request.body, 'name') ?? machine.name;
  request.world.records.save('machine', machine);
  return { name: machine.name };
}

function ejectIso(request: ControlRequest) {
  const machine = machineOf(request);
  machine.isoId = null;
  request.world.records.save('machine', machine);
  return { iso: null };
}

function kubelet(request: ControlRequest) {
  const machine = machineOf(request);
  machine.inside.kubeletUp = booleanIn(request.body, 'up') ?? false;
  request.world.records.save('machine', machine);
  if (machine.inside.kubeletUp) request.world.clusters.machineCameBack(machine);
  request.world.changed();
  return { kubeletUp: machine.inside.kubeletUp };
}

function console({ world, parameters }: ControlRequest) {
  const machine = machineOf({ world, parameters, query: new URLSearchParams(), body: {} });
  return { name: machine.name, role: machine.inside.role, phase: machine.inside.phase, lines: machine.inside.console };
}

function host(request: ControlRequest) {
  const { world, parameters } = request;
  const found = world.records.find(
    'host',
    (candidate) => candidate.id === parameters[0] || candidate.name === parameters[0],
  );
  if (found === undefined) throw new ControlError(404, `no host ${parameters[0]}`);
  found.up = booleanIn(request.body, 'up') ?? false;
  world.records.save('host', found);
  const hit = found.up ? [] : world.records.all('machine').filter((machine) => machine.hostId === found.id);
  for (const machine of hit) stop({ ...request, parameters: [machine.id] });
  return { name: found.name, up: found.up, stopped: hit.map((machine) => machine.name) };
}

function zone({ world, parameters, body }: ControlRequest) {
  const found = world.records.find(
    'zone',
    (candidate) => candidate.id === parameters[0] || candidate.name === parameters[0],
  );
  if (found === undefined) throw new ControlError(404, `no zone ${parameters[0]}`);
  found.enabled = booleanIn(body, 'enabled') ?? found.enabled;
  world.records.save('zone', found);
  return found;
}

function image(kind: 'template' | 'iso') {
  return ({ world, parameters, body }: ControlRequest) => {
    const found = world.records.find(
      kind,
      (candidate) => candidate.id === parameters[0] || candidate.name === parameters[0],
    );
    if (found === undefined) throw new ControlError(404, `no ${kind} ${parameters[0]}`);
    found.ready = booleanIn(body, 'ready') ?? found.ready;
    world.records.save(kind, found);
    return found;
  };
}

function removeOffering({ world, parameters }: ControlRequest) {
  const found = world.records.find(
    'offering',
    (candidate) => candidate.id === parameters[0] || candidate.name === parameters[0],
  );
  if (found === undefined) throw new ControlError(404, `no offering ${parameters[0]}`);
  world.records.remove('offering', found.id);
  world.records.save('removed', { id: found.id, kind: 'offering' });
  return { removed: found.name };
}

function removeRule({ world, parameters }: ControlRequest) {
  const id = parameters[0] ?? '';
  const kind = (['firewall', 'balancer', 'forwarding'] as const).find(
    (table) => world.records.get(table, id) !== undefined,
  );
  if (kind === undefined) throw new ControlError(404, `no rule ${id}`);
  removeRecord(world, kind, id);
  return { removed: id };
}

function removeAddress({ world, parameters }: ControlRequest) {
  const found = world.records.find(
    'address',
    (address) => address.state === 'Allocated' && (address.id === parameters[0] || address.ip === parameters[0]),
  );
  if (found === undefined) throw new ControlError(404, `no allocated address ${parameters[0]}`);
  releaseAddress(world, found.id);
  return { released: found.ip };
}

export const outOfBandRoutes: readonly Route[] = [
  { method: 'POST', path: /^\/vm\/([^/]+)\/stop$/, run: stop },
  { method: 'POST', path: /^\/vm\/([^/]+)\/start$/, run: start },
  { method: 'POST', path: /^\/vm\/([^/]+)\/destroy$/, run: destroy },
  { method: 'POST', path: /^\/vm\/([^/]+)\/expunge$/, run: expunge },
  { method: 'POST', path: /^\/vm\/([^/]+)\/rename$/, run: rename },
  { method: 'POST', path: /^\/vm\/([^/]+)\/eject$/, run: ejectIso },
  { method: 'POST', path: /^\/vm\/([^/]+)\/kubelet$/, run: kubelet },
  { method: 'GET', path: /^\/vm\/([^/]+)\/console$/, run: console },
  { method: 'POST', path: /^\/host\/([^/]+)$/, run: host },
  { method: 'POST', path: /^\/zone\/([^/]+)$/, run: zone },
  { method: 'POST', path: /^\/template\/([^/]+)$/, run: image('template') },
  { method: 'POST', path: /^\/iso\/([^/]+)$/, run: image('iso') },
  { method: 'DELETE', path: /^\/offering\/([^/]+)$/, run: removeOffering },
  { method: 'DELETE', path: /^\/rule\/([^/]+)$/, run: removeRule },
  { method: 'DELETE', path: /^\/address\/([^/]+)$/, run: removeAddress },
];
