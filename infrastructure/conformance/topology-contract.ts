import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { upgradeJob } from '@/infrastructure/bootstrap/upgrade-job';
import { nodeUserData } from '@/infrastructure/bootstrap/user-data';
import type { KubernetesApi } from '@/infrastructure/kubernetes';
import {
  type BuiltNode,
  buildNode,
  type Ground,
  layGround,
  removeGround,
  startNode,
  untilApi,
  untilReady,
} from './build-cluster';
import { type ContractSubject, call, eventually, freshName, type OpenSubject } from './subject';

/** Larger clusters: separate etcd nodes, further control nodes, machines that Holdfast did not make, an upgrade in place. */
export function topologyContract(name: string, open: OpenSubject): void {
  describe(`topologies: ${name}`, () => {
    let subject: ContractSubject;
    let ground: Ground;
    let api: KubernetesApi;
    let controls: BuiltNode[] = [];

    beforeAll(async () => {
      subject = await open();
      ground = await layGround(subject);
      api = subject.connectKubernetes(ground.access);
    });
    afterAll(async () => {
      api?.close();
      if (ground !== undefined) await removeGround(subject, ground);
      await subject?.stop();
    });

    it('a control plane stands on three etcd nodes that know each other by address', async () => {
      const etcd = await Promise.all([1, 2, 3].map((ordinal) => buildNode(subject, ground, { role: 'etcd', ordinal })));
      const etcdMembers = etcd.map((node) => ({ name: node.name, address: node.ip ?? '' }));
      ground = { ...ground, bootstrap: { ...ground.bootstrap, etcdMembers } };
      await Promise.all(etcd.map((node) => startNode(subject, ground.bootstrap, node, 'etcd')));
      const first = await buildNode(subject, ground, { role: 'control', ordinal: 1 });
      await startNode(subject, ground.bootstrap, first, 'first-control');
      await subject.cloud.ensureAssigned(call(), { ruleId: ground.ruleId, machineId: first.machineId });
      await untilApi(subject, api);
      controls = [first];
    });

    it('a further control node and a worker join it', async () => {
      const second = await buildNode(subject, ground, { role: 'control', ordinal: 2 });
      await startNode(subject, ground.bootstrap, second, 'control');
      const worker = await buildNode(subject, ground, { role: 'worker', ordinal: 1 });
      await startNode(subject, ground.bootstrap, worker, 'worker');
      await untilReady(subject, api, 3);
      await subject.cloud.ensureAssigned(call(), { ruleId: ground.ruleId, machineId: second.machineId });
      controls = [...controls, second];
      const nodes = await api.listNodes(call());
      expect(
        nodes
          .filter((node) => node.controlPlane)
          .map((node) => node.name)
          .sort(),
      ).toEqual(controls.map((node) => node.name));
    });

    it('the API outlives one of two control nodes', async () => {
      const [first] = controls;
      await subject.cloud.stopMachine(call(), first?.machineId ?? '');
      await untilApi(subject, api);
      await subject.cloud.startMachine(call(), first?.machineId ?? '');
      await untilReady(subject, api, 3);
    });

    it('a machine that Holdfast did not make becomes a node on a restored disk', async () => {
      const { cloud, offered } = subject;
      const machineName = freshName('external');
      const machine = await cloud.ensureMachine(call(), {
        ...offered,
        name: machineName,
        networkId: ground.networkId,
        rootDiskGb: 10,
        sshKeyPair: null,
        userData: '#cloud-config\nruncmd: []\n',
        tags: {},
      });
      await cloud.startMachine(call(), machine.id);
      const userData = await nodeUserData(ground.bootstrap, { kind: 'external', name: machineName });
      await cloud.setUserData(call(), { machineId: machine.id, userData });
      await cloud.ensureIso(call(), { machineId: machine.id, isoId: offered.isoId });
      await cloud.restoreMachine(call(), machine.id);
      if ((await cloud.getMachine(call(), machine.id))?.state === 'stopped')
        await cloud.startMachine(call(), machine.id);
      await untilReady(subject, api, 4);
      const node = (await api.listNodes(call())).find((each) => each.name === machineName);
      expect(node).toMatchObject({ systemUuid: machine.id, controlPlane: false });
    });

    it('nodes take the next version one after the other, the first control node first', async (context) => {
      const { next } = subject.offered;
      if (next === null) return context.skip('the cloud has no ISO of the next minor version');
      const workers = (await api.listNodes(call())).filter((node) => !node.controlPlane).map((node) => node.name);
      for (const nodeName of [...controls.map((node) => node.name), ...workers]) {
        await upgrade(subject, api, { nodeName, next, first: nodeName === controls[0]?.name });
      }
      expect((await api.listNodes(call())).map((node) => node.kubeletVersion)).toEqual(Array(4).fill(next.version));
      expect(await api.serverVersion(call())).toBe(next.version);
    });
  });
}

async function upgrade(
  subject: ContractSubject,
  api: KubernetesApi,
  request: { nodeName: string; next: { isoId: string; version: string }; first: boolean },
): Promise<void> {
  const { nodeName, next, first } = request;
  const node = (await api.listNodes(call())).find((each) => each.name === nodeName);
  await subject.cloud.ensureIso(call(), { machineId: node?.systemUuid ?? '', isoId: next.isoId });
  await api.setUnschedulable(call(), nodeName, true);
  const { configMap, job } = upgradeJob({
    nodeName,
    first,
    targetVersion: next.version,
    serverVersion: await api.serverVersion(call()),
    image: await imageOnEveryNode(api),
  });
  await api.apply(call(), configMap);
  await api.apply(call(), job);
  await eventually(
    async () => {
      const seen = (await api.listNodes(call()).catch(() => [])).find((each) => each.name === nodeName);
      return seen?.kubeletVersion === next.version && seen.ready ? true : undefined;
    },
    { pollMs: subject.pollMs, boundMs: subject.bootstrapMs, what: `${nodeName} has ${next.version}` },
  );
  await api.setUnschedulable(call(), nodeName, false);
}

async function imageOnEveryNode(api: KubernetesApi): Promise<string> {
  const reference = { apiVersion: 'apps/v1', kind: 'DaemonSet', namespace: 'kube-system', name: 'kube-proxy' };
  const image = /"image":"([^"]+)"/.exec(JSON.stringify(await api.get(call(), reference)))?.[1];
  if (image === undefined) throw new Error('The DaemonSet kube-proxy names no image.');
  return image;
}
