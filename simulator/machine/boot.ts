/** A machine from power-on to node: cloud-init, the wait for the ISO, kubeadm init or join. */
import { attempts, latencyMs } from '@/simulator/core/latency';
import { noOrigin } from '@/simulator/core/ledger';
import type { Iso } from '@/simulator/core/model';
import type { World } from '@/simulator/world';
import { initialiseCluster } from './initialise';
import { joinCluster } from './join';
import { BootstrapError, openScript, PoweredOff, type Script, setPhase } from './script';
import { readUserData, UserDataError } from './user-data';

/** Runs at every power-on; `run` tells it from scripts of earlier ones. */
export function runBootScript(world: World, machineId: string, run: number): void {
  const script = openScript(world, machineId, run);
  boot(script).catch((error: unknown) => {
    if (error instanceof PoweredOff) return;
    if (error instanceof UserDataError || error instanceof BootstrapError) return fail(script, error.message);
    world.unexpected(error);
  });
}

function fail(script: Script, reason: string): void {
  try {
    script.log(`gave up: ${reason}`);
    setPhase(script, 'failed');
  } catch (error) {
    if (!(error instanceof PoweredOff)) script.world.unexpected(error);
  }
}

async function boot(script: Script): Promise<void> {
  const { world } = script;
  setPhase(script, 'booting');
  await script.sleep(world.random.jitter(latencyMs.boot));
  script.log('kernel started');
  const machine = script.machine();
  if (machine.inside.bootedDiskId !== machine.diskId) runCloudInit(script);
  else script.log('cloud-init: this instance is known, user data is not run again');
  const { role, bootstrapped } = script.machine().inside;
  if (role === 'plain' || role === 'unknown') return setPhase(script, 'done');
  if (bootstrapped) return resume(script);
  const iso = await waitForIso(script);
  setPhase(script, 'bootstrapping');
  if (role === 'etcd') return startEtcd(script, iso);
  if (role === 'first-control') await initialiseCluster(script, iso);
  else await joinCluster(script, iso);
}

/** Reads the user data once per disk. A document it can't read leaves a machine that runs and never becomes a node. */
function runCloudInit(script: Script): void {
  const machine = script.machine();
  machine.inside.bootedDiskId = machine.diskId;
  machine.inside.role = 'plain';
  script.world.records.save('machine', machine);
  if (machine.userData === '') {
    script.log('cloud-init: no user data');
    return;
  }
  const reading = readUserData(machine.userData);
  machine.inside.role = reading.role;
  machine.inside.intent = { ...reading.intent, nodeName: reading.intent.nodeName || machine.name.toLowerCase() };
  machine.inside.apiVersion = reading.apiVersion;
  script.log(`cloud-init: user data makes this a ${reading.role} machine`);
}

/** A node that was set up before: its services come back by themselves. */
function resume(script: Script): void {
  const { world } = script;
  const machine = script.machine();
  script.log('setup was done before; services start');
  machine.inside.phase = 'done';
  machine.inside.kubeletUp = machine.inside.role !== 'etcd';
  machine.inside.serving = machine.inside.role !== 'worker';
  world.records.save('machine', machine);
  world.clusters.machineCameBack(machine);
  world.changed();
}

function isoInDrive(script: Script): Iso | null {
  const { isoId } = script.machine();
  const iso = isoId === null ? undefined : script.world.records.get('iso', isoId);
  return iso !== undefined && iso.kubernetesVersion !== null ? iso : null;
}

async function waitForIso(script: Script): Promise<Iso> {
  let iso = isoInDrive(script);
  if (iso === null) {
    setPhase(script, 'waiting-for-iso');
    script.log('waiting for a disk with the Kubernetes binaries');
  }
  for (let attempt = 0; iso === null && attempt < attempts.iso; attempt += 1) {
    await script.sleep(latencyMs.isoPoll);
    iso = isoInDrive(script);
  }
  if (iso === null) throw new BootstrapError('no disk with Kubernetes binaries was attached');
  script.log(`mounted ${iso.name}`);
  return iso;
}

async function startEtcd(script: Script, iso: Iso): Promise<void> {
  if (!iso.hasEtcd) throw new BootstrapError(`${iso.name} has no etcd`);
  await script.sleep(latencyMs.join);
  const machine = script.machine();
  machine.inside.bootstrapped = true;
  machine.inside.serving = true;
  script.log('etcd runs');
  setPhase(script, 'done');
  script.world.effect('etcd started', noOrigin, { id: machine.id, name: machine.name });
}
