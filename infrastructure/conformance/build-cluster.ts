import { createBootstrapToken } from '@/infrastructure/bootstrap/bootstrap-token';
import { clusterTags, machineName, networkName, nodeTags } from '@/infrastructure/bootstrap/names';
import { type ClusterPki, createClusterPki, signClientCertificate } from '@/infrastructure/bootstrap/pki';
import { type BootstrapCluster, nodeUserData } from '@/infrastructure/bootstrap/user-data';
import type { ClusterAccess, KubernetesApi } from '@/infrastructure/kubernetes';
import { type ContractSubject, call, eventually } from './subject';

export interface BuiltCluster {
  readonly api: KubernetesApi;
  readonly access: ClusterAccess;
  readonly pki: ClusterPki;
  readonly bootstrap: BootstrapCluster;
  readonly networkId: string;
  readonly control: BuiltNode;
  readonly worker: BuiltNode;
}

export interface BuiltNode {
  readonly name: string;
  readonly machineId: string;
}

/** A cluster of one control node and one worker, made as Holdfast makes it (C.3), by contract calls only. */
export async function buildCluster(subject: ContractSubject): Promise<BuiltCluster> {
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
  const bootstrap: BootstrapCluster = {
    ...cluster,
    kubernetesVersion: offered.version,
    endpoint: `${address.ip}:${rule.publicPort}`,
    pki,
    token: createBootstrapToken(),
    etcdMembers: [],
  };

  const build = async (role: 'control' | 'worker'): Promise<BuiltNode> => {
    const name = machineName({ clusterName: cluster.name, clusterId: cluster.id, role, ordinal: 1, generation: 1 });
    const machine = await cloud.ensureMachine(call(), {
      name,
      networkId: network.id,
      ...offered,
      rootDiskGb: 10,
      sshKeyPair: null,
      userData: await nodeUserData(bootstrap, { kind: role === 'control' ? 'first-control' : 'worker', name }),
      tags: { ...tags, ...nodeTags(`${role}-1`) },
    });
    await cloud.ensureIso(call(), { machineId: machine.id, isoId: offered.isoId });
    await cloud.startMachine(call(), machine.id);
    return { name, machineId: machine.id };
  };

  const control = await build('control');
  await cloud.ensureAssigned(call(), { ruleId: rule.id, machineId: control.machineId });
  const client = await signClientCertificate(pki, {
    commonName: 'holdfast',
    organizations: ['system:masters'],
    days: 1,
  });
  const access = { endpoint: `https://${bootstrap.endpoint}`, caPem: pki.cluster.certificatePem, ...client };
  const api = subject.connectKubernetes(access);
  const wait = { pollMs: subject.pollMs, boundMs: subject.bootstrapMs };
  await eventually(async () => ((await api.isReady(call())) ? true : undefined), { ...wait, what: 'the API answers' });
  const worker = await build('worker');
  await eventually(
    async () => {
      const nodes = await api.listNodes(call()).catch(() => []);
      return nodes.filter((node) => node.ready).length === 2 ? true : undefined;
    },
    { ...wait, what: 'both nodes are Ready' },
  );
  return { api, access, pki, bootstrap, networkId: network.id, control, worker };
}

/** Everything that belongs to it, and what the test left in its network. */
export async function removeCluster(subject: ContractSubject, built: BuiltCluster): Promise<void> {
  built.api.close();
  const machines = await subject.cloud.listMachines(call(), { networkId: built.networkId });
  for (const machine of machines) await subject.cloud.destroyMachine(call(), machine.id);
  await subject.cloud.deleteNetwork(call(), built.networkId);
}
