/** Turning machines on and off, and taking them away: what the host does, whoever asked for it. */

import { randomUUID } from 'node:crypto';
import { ApiError, errorOfCode } from '@/simulator/cloudstack/errors';
import { latencyMs } from '@/simulator/core/latency';
import type { Origin } from '@/simulator/core/ledger';
import type { Machine, MachineState } from '@/simulator/core/machine-model';
import type { World } from '@/simulator/world';
import { runBootScript } from './boot';
import { placeMachine } from './placement';

type Sleep = (ms: number) => Promise<void>;

export interface Actor {
  origin: Origin;
  sleep: Sleep;
}

export function setState(world: World, machine: Machine, state: MachineState): void {
  machine.state = state;
  world.records.save('machine', machine);
  world.changed();
}

/** The power goes on: the host reports it as running and its disk begins to boot. */
export function powerOn(world: World, machine: Machine): void {
  machine.hostRunning = true;
  machine.inside.run += 1;
  machine.inside.phase = 'booting';
  machine.inside.kubeletUp = false;
  machine.inside.serving = false;
  world.records.save('machine', machine);
  runBootScript(world, machine.id, machine.inside.run);
}

/** The power goes off, gently or not; what was in memory is gone. */
export function powerOff(world: World, machine: Machine): void {
  machine.hostRunning = false;
  machine.inside.run += 1;
  machine.inside.phase = 'off';
  machine.inside.kubeletUp = false;
  machine.inside.serving = false;
  world.records.save('machine', machine);
  world.changed();
}

async function implementNetwork(world: World, machine: Machine, sleep: Sleep): Promise<void> {
  const network = world.records.get('network', machine.networkId);
  if (network === undefined || network.state === 'Setup' || network.state === 'Implemented') return;
  network.state = 'Implementing';
  world.records.save('network', network);
  await sleep(latencyMs.networkImplement);
  network.state = 'Implemented';
  if (!world.records.all('address').some((address) => address.networkId === network.id && address.sourceNat)) {
    const free = world.records.find(
      'address',
      (address) => address.zoneId === network.zoneId && address.state === 'Free',
    );
    if (free === undefined) throw errorOfCode(533, 'No public address is left for source NAT');
    Object.assign(free, {
      state: 'Allocated',
      networkId: network.id,
      account: network.account,
      sourceNat: true,
      allocatedAt: world.clock.now(),
    });
    world.records.save('address', free);
  }
  world.records.save('network', network);
}

/** Starting → Running; without room the machine falls back to `fallback` and 533 is raised. */
export async function startMachine(
  world: World,
  machine: Machine,
  actor: Actor,
  fallback: 'Stopped' | 'Error',
): Promise<void> {
  const host = placeMachine(world, machine);
  if (host === null) {
    setState(world, machine, fallback);
    throw errorOfCode(533, 'Insufficient capacity: no host has room for this machine');
  }
  machine.hostId = host.id;
  setState(world, machine, 'Starting');
  try {
    await implementNetwork(world, machine, actor.sleep);
    await actor.sleep(world.random.jitter(latencyMs.starting * 0.7));
  } catch (error) {
    if (error instanceof ApiError) {
      machine.hostId = null;
      setState(world, machine, fallback);
    }
    throw error;
  }
  powerOn(world, machine);
  await actor.sleep(world.random.jitter(latencyMs.starting * 0.3));
  setState(world, machine, 'Running');
  world.effect('machine started', actor.origin, { id: machine.id, name: machine.name });
}

export async function stopMachine(world: World, machine: Machine, actor: Actor): Promise<void> {
  setState(world, machine, 'Stopping');
  await actor.sleep(world.random.jitter(latencyMs.stopping * 0.7));
  powerOff(world, machine);
  await actor.sleep(world.random.jitter(latencyMs.stopping * 0.3));
  machine.hostId = null;
  setState(world, machine, 'Stopped');
  world.effect('machine stopped', actor.origin, { id: machine.id, name: machine.name });
}

/** Takes a machine off all rules that lead to it. */
export function detachFromRules(world: World, machine: Machine): void {
  for (const rule of world.records.all('balancer')) {
    if (!rule.machineIds.includes(machine.id)) continue;
    rule.machineIds = rule.machineIds.filter((id) => id !== machine.id);
    world.records.save('balancer', rule);
  }
  for (const rule of world.records.all('forwarding')) {
    if (rule.machineId === machine.id) world.records.remove('forwarding', rule.id);
  }
}

/** The machine leaves all lists; its name is free from now on, its id is used up. */
export function forgetMachine(world: World, machine: Machine, origin: Origin): void {
  powerOff(world, machine);
  detachFromRules(world, machine);
  for (const tag of world.tagsOf(machine.id)) world.records.remove('tag', tag.id);
  world.records.remove('machine', machine.id);
  world.records.save('removed', { id: machine.id, kind: 'machine' });
  world.changed();
  world.effect('machine expunged', origin, { id: machine.id, name: machine.name });
}

async function expunge(world: World, machine: Machine, actor: Actor): Promise<void> {
  setState(world, machine, 'Expunging');
  await actor.sleep(world.random.jitter(latencyMs.expunging));
  forgetMachine(world, machine, actor.origin);
}

/** Stops what runs, then Destroyed; with `expunged` it goes on until nothing is left. */
export async function destroyMachine(world: World, machine: Machine, actor: Actor, expunged: boolean): Promise<void> {
  if (machine.state === 'Error') return expunge(world, machine, actor);
  if (machine.state === 'Running' || machine.state === 'Restoring') await stopMachine(world, machine, actor);
  if (machine.state !== 'Destroyed') {
    if (machine.hostRunning) powerOff(world, machine);
    machine.hostId = null;
    detachFromRules(world, machine);
    setState(world, machine, 'Destroyed');
    world.effect('machine destroyed', actor.origin, { id: machine.id, name: machine.name });
    scheduleExpunge(world, machine);
  }
  if (expunged) await expunge(world, machine, actor);
}

/** A destroyed machine goes for good after the server's delay, unless it was recovered. */
export function scheduleExpunge(world: World, machine: Machine): void {
  world.clock.after(latencyMs.expungeDelay, () => {
    const now = world.records.get('machine', machine.id);
    if (now?.state === 'Destroyed') forgetMachine(world, now, { operation: null, account: now.account, jobId: null });
  });
}

/** A fresh root disk of the same template; whatever was on the old one is lost. */
export async function restoreMachine(world: World, machine: Machine, actor: Actor): Promise<void> {
  const wasRunning = machine.state === 'Running';
  if (wasRunning) await stopMachine(world, machine, actor);
  setState(world, machine, 'Restoring');
  await actor.sleep(world.random.jitter(latencyMs.restore));
  machine.diskId = randomUUID();
  machine.inside = {
    ...machine.inside,
    bootedDiskId: null,
    role: 'unknown',
    clusterId: null,
    bootstrapped: false,
    kubernetesVersion: null,
    intent: null,
  };
  setState(world, machine, 'Stopped');
  world.effect('machine restored', actor.origin, { id: machine.id, name: machine.name });
  if (wasRunning) await startMachine(world, machine, actor, 'Stopped');
}
