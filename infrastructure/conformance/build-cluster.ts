import { createBootstrapToken } from '@/infrastructure/bootstrap/bootstrap-token';
import { clusterTags, machineName, networkName, nodeTags } from '@/infrastructure/bootstrap/names';
import { createClusterPki, signClientCertificate } from '@/infrastructure/bootstrap/pki';
import {
  type BootstrapCluster,
  type BootstrapNode,
  nodeUserData,
  scrubbedUserData,
} from '@/infrastructure/bootstrap/user-data';
import type { ClusterAccess, KubernetesApi } from '@/infrastructure/kubernetes';
import { type ContractSubject, call, eventually } from './subject';

/** Network, address, rules and secrets, before the first machine. */
export interface Ground {
  readonly cluster: { readonly id: string; readonly name: string };
  readonly networkId: string;
  readonly ruleId: string;
  readonly bootstrap: BootstrapCluster;
  readonly access: ClusterAccess;
}

export interface BuiltNode {
  readonly name: string;
  readonly machineId: string;
  readonly ip: string | null;
}

export interface BuiltCluster extends Ground {
  readonly api: KubernetesApi;
  readonly control: BuiltNode;
  readonly worker: BuiltNode;
}

type Role = 'control' | 'worker' | 'etcd';

export async function layGround(subject: ContractSubject): Promise<Ground> {
  const { cloud, offered } = subject;
  const cluster = { id: crypto.randomUUID(), name: 'contract' };
  const tags = clusterTags('contract', cluster.id);
  const spec = { name: networkName(cluster), zoneId: offered.zoneId, offeringId: offered.networkOfferingId, tags };
  const network = await cloud.ensureNetwork(call(), spec);
  const address = await cloud.ensureAddress(call(), { networkId: network.id, knownId: null, tags });
  await cloud.ensureFirewallRule(call(), { addressId: address.id, port: 6443, cidrs: ['0.0.0.0/0'] });
  await cloud.ensureEgress(call(), { networkId: network.id });
  const rule = await cloud.ensureLoadBalancerRule(call(), {
    name: `${networkName(cluster)}-api`,
    addressId: address.id,
    networkId: network.id,
    publicPort: 6443,
    privatePort: 6443,
  });
  const pki = await createClusterPki({ clusterName: cluster.name });
  const endpoint = `${address.ip}:${rule.publicPort}`;
  const client = await signClientCertificate(pki, {
    commonName: 'holdfast',
    organizations: ['system:masters'],
    days: 1,
  });
  return {
    cluster,
    networkId: network.id,
    ruleId: rule.id,
    bootstrap: {
      ...cluster,
      kubernetesVersion: offered.version,
      endpoint,
      pki,
      token: createBootstrapToken(),
      etcdMembers: [],
    },
    access: { endpoint: `https://${endpoint}`, caPem: pki.cluster.certificatePem, ...client },
  };
}

/** Its machine, stopped, with the ISO in its drive and a document that does nothing. */
export async function buildNode(
  subject: ContractSubject,
  ground: Ground,
  place: { role: Role; ordinal: number },
): Promise<BuiltNode> {
  const { cloud, offered } = subject;
  const { id: clusterId, name: clusterName } = ground.cluster;
  const name = machineName({ clusterName, clusterId, ...place, generation: 1 });
  const machine = await cloud.ensureMachine(call(), {
    ...offered,
    name,
    networkId: ground.networkId,
    rootDiskGb: 10,
    sshKeyPair: null,
    userData: scrubbedUserData(),
    tags: { ...clusterTags('contract', clusterId), ...nodeTags(`${place.role}-${place.ordinal}`) },
  });
  await cloud.ensureIso(call(), { machineId: machine.id, isoId: offered.isoId });
  return { name, machineId: machine.id, ip: machine.ip };
}

/** Gives the machine what it is to become, and starts it. */
export async function startNode(
  subject: ContractSubject,
  bootstrap: BootstrapCluster,
  node: BuiltNode,
  kind: BootstrapNode['kind'],
): Promise<void> {
  const { name, machineId, ip } = node;
  const document = await nodeUserData(bootstrap, kind === 'etcd' ? { kind, name, address: ip ?? '' } : { kind, name });
  await subject.cloud.setUserData(call(), { machineId, userData: document });
  await subject.cloud.startMachine(call(), machineId);
}

export async function untilReady(subject: ContractSubject, api: KubernetesApi, count: number): Promise<void> {
  await eventually(
    async () => {
      const nodes = await api.listNodes(call()).catch(() => []);
      return nodes.filter((node) => node.ready).length === count ? true : undefined;
    },
    { pollMs: subject.pollMs, boundMs: subject.bootstrapMs, what: `${count} nodes are Ready` },
  );
}

export async function untilApi(subject: ContractSubject, api: KubernetesApi): Promise<void> {
  await eventually(async () => ((await api.isReady(call())) ? true : undefined), {
    pollMs: subject.pollMs,
    boundMs: subject.bootstrapMs,
    what: 'the API answers',
  });
}

/** One control node and one worker, made as Holdfast makes them (C.3), by contract calls only. */
export async function buildCluster(subject: ContractSubject): Promise<BuiltCluster> {
  const ground = await layGround(subject);
  const control = await buildNode(subject, ground, { role: 'control', ordinal: 1 });
  await startNode(subject, ground.bootstrap, control, 'first-control');
  await subject.cloud.ensureAssigned(call(), { ruleId: ground.ruleId, machineId: control.machineId });
  const api = subject.connectKubernetes(ground.access);
  await untilApi(subject, api);
  const worker = await buildNode(subject, ground, { role: 'worker', ordinal: 1 });
  await startNode(subject, ground.bootstrap, worker, 'worker');
  await untilReady(subject, api, 2);
  return { ...ground, api, control, worker };
}

/** Everything in its network, and the network. */
export async function removeGround(subject: ContractSubject, ground: Ground): Promise<void> {
  const machines = await subject.cloud.listMachines(call(), { networkId: ground.networkId });
  for (const machine of machines) await subject.cloud.destroyMachine(call(), machine.id);
  await subject.cloud.deleteNetwork(call(), ground.networkId);
}
