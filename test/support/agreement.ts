/** Whether what is recorded about a cluster and what the cloud has of it say the same (I16, I17). Each answers what disagrees. */
import { placeName } from '@/domain/plan-steps';
import { clusterNamePrefix, tagKeys } from '@/infrastructure/bootstrap/names';
import { isNodeReady } from '@/infrastructure/memory/cluster';
import { keyOf } from '@/infrastructure/memory/objects';
import type { Lane } from './lane';

/** At any time: a machine with our tags is named by a row, by id or, before its id was recorded, by name. */
export async function unnamed(lane: Lane, clusterId: string): Promise<string[]> {
  const { nodes } = await lane.facts(clusterId);
  return tagged(lane, clusterId)
    .filter(
      (machine) =>
        !nodes.some((node) => node.machineId === machine.id || (node.machineId === null && node.name === machine.name)),
    )
    .map((machine) => `no row names ${machine.name}`);
}

/** Of a cluster that rests after a success, or was given time to heal: everything agrees, machine by machine. */
export async function disagreements(lane: Lane, clusterId: string): Promise<string[]> {
  const { cluster, nodes, components, version, isoId } = await lane.facts(clusterId);
  const api = await lane.api(clusterId);
  const found: string[] = await unnamed(lane, clusterId);
  const counts = { control: cluster.controlCount, worker: cluster.workerCount, etcd: cluster.etcdCount };
  for (const [role, count] of Object.entries(counts)) {
    const recorded = nodes.filter((node) => node.role === role).length;
    if (recorded !== count) found.push(`${recorded} ${role} nodes are recorded; its size says ${count}`);
  }
  const wanted = cluster.state === 'Stopped' ? 'stopped' : 'running';
  const offerings = {
    control: cluster.controlOfferingId,
    worker: cluster.workerOfferingId,
    etcd: cluster.etcdOfferingId,
  };
  for (const node of nodes) {
    const place = placeName(node);
    const machine = lane.machineOf(node.machineId);
    if (machine === undefined) {
      found.push(`${place} has no machine`);
      continue;
    }
    if (node.stage !== 'ready') found.push(`${place} is recorded as ${node.stage}`);
    if (machine.state !== wanted) found.push(`${place}'s machine is ${machine.state}`);
    if (machine.isoId !== null)
      found.push(`${place} has ${machine.isoId === isoId ? 'its' : 'another'} ISO in its drive`);
    if (!node.external && machine.offeringId !== offerings[node.role])
      found.push(`${place}'s machine has another offering`);
    if (!node.external && node.offeringId !== offerings[node.role])
      found.push(`${place} is recorded with another offering`);
    if (/BEGIN (RSA |EC )?PRIVATE KEY|token/.test(machine.userData))
      found.push(`${place} has secrets in its user data`);
    const rule = [...lane.control.world.rules.values()].find((each) => each.id === cluster.loadBalancerRuleId);
    if (node.role === 'control' && rule?.machineIds.has(machine.id) !== true)
      found.push(`${place} gets no API traffic`);
    if (node.role === 'etcd') continue;
    const seen = api?.nodes.get(node.name.toLowerCase());
    if (seen === undefined) {
      found.push(`${place} is not in the cluster`);
      continue;
    }
    if (seen.unschedulable) found.push(`${place} is cordoned`);
    if (wanted === 'running' && !isNodeReady(lane.control.world, seen)) found.push(`${place} is not Ready`);
    if (!node.manualUpgrade && (seen.version !== version || node.version !== version)) {
      found.push(`${place} has ${seen.version}, recorded ${node.version}; the cluster's is ${version}`);
    }
  }
  for (const name of api?.nodes.keys() ?? []) {
    if (!nodes.some((node) => node.name.toLowerCase() === name))
      found.push(`node ${name} is in the cluster and not recorded`);
  }
  for (const { component, wanted: isWanted, installed } of components) {
    if (isWanted !== installed)
      found.push(
        `${component}: ${isWanted ? 'wanted' : 'not wanted'} and ${installed ? 'installed' : 'not installed'}`,
      );
  }
  const autoscaler = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace: 'kube-system', name: 'cluster-autoscaler' },
  };
  const deployed = api?.objects.has(keyOf(autoscaler)) === true;
  if (deployed !== cluster.autoscaleEnabled) found.push(`the autoscaler is ${deployed ? '' : 'not '}deployed`);
  return found;
}

/** After a delete: nothing in the cloud carries its tags or its name. */
export function leftOf(lane: Lane, cluster: { id: string; name: string }): string[] {
  const { world } = lane.control;
  const prefix = clusterNamePrefix(cluster);
  const mine = (each: { tags: ReadonlyMap<string, string> }) => each.tags.get(tagKeys.cluster) === cluster.id;
  const networks = [...world.networks.values()].filter(mine);
  const addresses = [...world.addresses.values()].filter((each) => mine(each) || !world.networks.has(each.networkId));
  const rules = [...world.rules.values()].filter(
    (each) => each.name.startsWith(prefix) || !world.addresses.has(each.addressId),
  );
  const firewall = [...world.firewallRules.values()].filter((each) => !world.addresses.has(each.addressId));
  return [
    ...tagged(lane, cluster.id).map((each) => `machine ${each.name}`),
    ...[...world.machines.values()]
      .filter((each) => each.name.startsWith(prefix))
      .map((each) => `machine ${each.name}`),
    ...networks.map((each) => `network ${each.name}`),
    ...addresses.map((each) => `address ${each.ip}`),
    ...rules.map((each) => `rule ${each.name}`),
    ...firewall.map((each) => `firewall rule for ${each.port}`),
  ];
}

/** I15: after the first effect of a token, none of an older one. */
export async function lateEffects(lane: Lane, clusterId: string): Promise<string[]> {
  const jobs = new Set((await lane.jobs(clusterId)).map((job) => job.id));
  let newest = 0;
  const late: string[] = [];
  for (const effect of lane.control.effects()) {
    const [jobId = '', token = ''] = effect.operation.split('/');
    if (!jobs.has(jobId)) continue;
    if (Number(token) < newest)
      late.push(`${effect.method} ${effect.subject} by ${effect.operation} after token ${newest}`);
    newest = Math.max(newest, Number(token));
  }
  return late;
}

function tagged(lane: Lane, clusterId: string) {
  return [...lane.control.world.machines.values()].filter((machine) => machine.tags.get(tagKeys.cluster) === clusterId);
}
