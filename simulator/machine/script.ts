/** A machine's setup script: its hold on the machine, its console, and how it ends. */
import type { Machine } from '@/simulator/core/machine-model';
import type { World } from '@/simulator/world';

/** Ends a script whose machine was switched off, restored or expunged. */
export class PoweredOff extends Error {}

/** A kubeadm run or a check that failed; the script notes it and tries again. */
export class BootstrapError extends Error {}

/** The script's hold on its machine. */
export interface Script {
  world: World;
  machine: () => Machine;
  sleep: (ms: number) => Promise<void>;
  log: (line: string) => void;
}

const keptConsoleLines = 200;

export function openScript(world: World, machineId: string, run: number): Script {
  const machine = () => {
    const current = world.records.get('machine', machineId);
    if (current === undefined || current.inside.run !== run) throw new PoweredOff();
    return current;
  };
  return {
    world,
    machine,
    sleep: async (ms) => {
      await world.clock.sleep(ms);
      machine();
    },
    log: (line) => {
      const current = machine();
      current.inside.console.push(`${world.clock.iso()} ${line}`);
      if (current.inside.console.length > keptConsoleLines) current.inside.console.splice(0, 50);
      world.records.save('machine', current);
    },
  };
}

export function setPhase(script: Script, phase: Machine['inside']['phase']): void {
  const machine = script.machine();
  machine.inside.phase = phase;
  script.world.records.save('machine', machine);
  script.world.changed();
}

/** Marks the setup as done: from now on a power-on only starts the services. */
export function finishBootstrap(script: Script, done: { clusterId: string; version: string; serving: boolean }): void {
  const machine = script.machine();
  Object.assign(machine.inside, {
    bootstrapped: true,
    kubeletUp: true,
    serving: done.serving,
    clusterId: done.clusterId,
    kubernetesVersion: done.version,
  });
  script.log('setup done');
  setPhase(script, 'done');
}
