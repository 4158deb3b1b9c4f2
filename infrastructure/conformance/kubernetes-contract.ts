import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClusterPki, signClientCertificate } from '@/infrastructure/bootstrap/pki';
import type { KubernetesObject } from '@/infrastructure/kubernetes';
import { type BuiltCluster, buildCluster, removeGround } from './build-cluster';
import { type ContractSubject, call, eventually, type OpenSubject } from './subject';

/** Holds a driver of `KubernetesApi` to its contract, on a cluster that is bootstrapped for it from user data. */
export function kubernetesContract(name: string, open: OpenSubject): void {
  describe(`the Kubernetes contract: ${name}`, () => {
    let subject: ContractSubject;
    let built: BuiltCluster;
    const wait = (what: string) => ({ pollMs: subject.pollMs, boundMs: subject.bootstrapMs, what });

    beforeAll(async () => {
      subject = await open();
      built = await buildCluster(subject);
    }, 120_000);

    afterAll(async () => {
      if (built !== undefined) {
        built.api.close();
        await removeGround(subject, built);
      }
      await subject?.stop();
    }, 60_000);

    it('shows both nodes on their machines, of the ISO’s version', async () => {
      const { api, control, worker } = built;
      const nodes = await api.listNodes(call());
      expect([...nodes].sort((a, b) => a.name.localeCompare(b.name))).toMatchObject([
        {
          name: control.name,
          ready: true,
          controlPlane: true,
          kubeletVersion: subject.offered.version,
          systemUuid: control.machineId,
        },
        {
          name: worker.name,
          ready: true,
          controlPlane: false,
          kubeletVersion: subject.offered.version,
          systemUuid: worker.machineId,
        },
      ]);
      expect(await api.serverVersion(call())).toBe(subject.offered.version);
    });

    it('has the ISO’s manifests where the first control node published them', async () => {
      const reference = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'kube-system', name: 'holdfast-manifests' };
      const found = await eventually(
        async () => (await built.api.get(call(), reference)) ?? undefined,
        wait('manifests are published'),
      );
      expect(Object.keys(Object(found['data']))).toContain('network.yaml');
    });

    it('cordons and uncordons twice without harm', async () => {
      const { api, worker } = built;
      const seen = async () => (await api.listNodes(call())).find((node) => node.name === worker.name)?.unschedulable;
      for (const unschedulable of [true, true]) await api.setUnschedulable(call(), worker.name, unschedulable);
      expect(await seen()).toBe(true);
      for (const unschedulable of [false, false]) await api.setUnschedulable(call(), worker.name, unschedulable);
      expect(await seen()).toBe(false);
    });

    it('annotates, and sets a provider id only where there is none', async () => {
      const { api, worker } = built;
      await api.annotateNode(call(), worker.name, { 'holdfast.test/mark': 'yes' });
      await api.setProviderId(call(), worker.name, worker.machineId);
      await api.setProviderId(call(), worker.name, 'another');
      expect((await api.listNodes(call())).find((node) => node.name === worker.name)?.providerId).toBe(
        worker.machineId,
      );
    });

    it('applies, reads, lists and deletes, each twice without harm', async () => {
      const { api } = built;
      const object: KubernetesObject = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'contract', namespace: 'default', labels: { contract: 'yes' } },
        data: { a: '1' },
      };
      await api.apply(call(), object);
      await api.apply(call(), { ...object, data: { a: '2' } });
      const reference = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'contract' };
      expect(await api.get(call(), reference)).toMatchObject({
        data: { a: '2' },
        metadata: { uid: expect.any(String) },
      });
      const listed = await api.list(call(), {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        namespace: 'default',
        labelSelector: 'contract=yes',
      });
      expect(listed.map((each) => [each.kind, each.metadata.name])).toEqual([['ConfigMap', 'contract']]);
      await api.delete(call(), reference);
      await api.delete(call(), reference);
      expect(await api.get(call(), reference)).toBeNull();
    });

    it('runs a Deployment, and evicts its pods by uid', async () => {
      const { api, worker } = built;
      const labels = { app: 'contract' };
      await api.apply(call(), {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'contract', namespace: 'default' },
        spec: {
          replicas: 1,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'example/main:1' }] } },
        },
      });
      const query = { apiVersion: 'v1', kind: 'Pod', namespace: 'default', labelSelector: 'app=contract' };
      const onWorker = { ...query, fieldSelector: `spec.nodeName=${worker.name}` };
      const pod = await eventually(async () => (await api.list(call(), onWorker))[0], wait('the pod is placed'));
      const { name, uid = '' } = pod.metadata;
      expect(
        await api.evictPod(call(), { namespace: 'default', name, uid: '00000000-dead-4000-8000-000000000000' }),
      ).toEqual({ kind: 'gone' });
      expect(await api.evictPod(call(), { namespace: 'default', name, uid })).toEqual({ kind: 'evicted' });
      await eventually(
        async () => ((await api.list(call(), query)).every((each) => each.metadata.uid !== uid) ? true : undefined),
        wait('the pod is gone'),
      );
      expect(await api.evictPod(call(), { namespace: 'default', name, uid })).toEqual({ kind: 'gone' });
      await api.delete(call(), { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'contract' });
    });

    it('sends nothing once authority is refused', async () => {
      const lost = new Error('the cluster is held by another operation');
      const refusing = call({ authorize: () => Promise.reject(lost) });
      await expect(built.api.setUnschedulable(refusing, built.worker.name, true)).rejects.toBe(lost);
      expect((await built.api.listNodes(call())).find((node) => node.name === built.worker.name)?.unschedulable).toBe(
        false,
      );
    });

    it('ends at once when the caller says so', async () => {
      const stop = AbortSignal.abort(new Error('enough'));
      await expect(built.api.listNodes(call({ signal: stop }))).rejects.toMatchObject({
        name: 'KubernetesError',
        cause: { message: 'enough' },
      });
      await expect(built.api.isReady(call({ signal: stop }))).rejects.toThrow();
    });

    it('names what is not there', async () => {
      const { api } = built;
      await expect(api.setUnschedulable(call(), 'nobody', true)).rejects.toMatchObject({
        name: 'KubernetesError',
        kind: 'not-found',
        code: 404,
      });
      await api.deleteNode(call(), 'nobody');
    });

    it('trusts its own authority only, and lets in nobody whom that did not sign', async () => {
      const other = await createClusterPki({ clusterName: 'other' });
      const client = await signClientCertificate(other, {
        commonName: 'holdfast',
        organizations: ['system:masters'],
        days: 1,
      });
      const strangers = subject.connectKubernetes({ ...built.access, ...client });
      await expect(strangers.listNodes(call())).rejects.toMatchObject({ kind: 'denied' });
      strangers.close();
      const deceived = subject.connectKubernetes({ ...built.access, caPem: other.cluster.certificatePem });
      await expect(deceived.listNodes(call())).rejects.toMatchObject({ kind: 'unreachable' });
      expect(await deceived.isReady(call())).toBe(false);
      deceived.close();
    });

    it('is unreachable while its only control node is stopped, and back as it was afterwards', async () => {
      const { api, control, worker } = built;
      await subject.cloud.stopMachine(call(), control.machineId);
      await eventually(async () => ((await api.isReady(call())) ? undefined : true), wait('the API is gone'));
      await expect(api.listNodes(call())).rejects.toMatchObject({ name: 'KubernetesError', kind: 'unreachable' });
      await subject.cloud.startMachine(call(), control.machineId);
      await eventually(async () => ((await api.isReady(call())) ? true : undefined), wait('the API is back'));
      expect((await api.listNodes(call())).map((node) => node.name)).toContain(worker.name);
    });

    it('forgets a node, twice without harm', async () => {
      const { api, worker } = built;
      await subject.cloud.stopMachine(call(), worker.machineId);
      await api.deleteNode(call(), worker.name);
      await api.deleteNode(call(), worker.name);
      expect((await api.listNodes(call())).map((node) => node.name)).not.toContain(worker.name);
    });
  });
}
