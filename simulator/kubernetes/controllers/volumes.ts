/** Claims and volumes: provisioned while the CSI driver runs; a volume is a CloudStack volume, and leaks if nobody deletes it. */
import { randomUUID } from 'node:crypto';
import { numberAt, objectsAt, textAt } from '@/simulator/core/json';
import { latencyMs } from '@/simulator/core/latency';
import { noOrigin } from '@/simulator/core/ledger';
import type { ClusterRuntime } from '@/simulator/kubernetes/cluster-runtime';
import { setDefaults } from '@/simulator/kubernetes/defaults';
import {
  finalizersOf,
  isTerminating,
  type KubeObject,
  nameOf,
  namespaceOf,
  part,
  uidOf,
} from '@/simulator/kubernetes/objects';
import {
  claims,
  csiDrivers,
  deployments,
  persistentVolumes,
  pods,
  storageClasses,
} from '@/simulator/kubernetes/resources';
import { isFinished } from './owned-pods';
import { quantity } from './scheduler';

const provisioner = 'csi.cloudstack.apache.org';

function isDriverUp(runtime: ClusterRuntime): boolean {
  const controller = runtime.store.find(deployments, 'kube-system', 'cloudstack-csi-controller');
  return (
    runtime.store.find(csiDrivers, '', provisioner) !== undefined &&
    (numberAt(controller, 'status', 'availableReplicas') ?? 0) > 0
  );
}

function isUsed(runtime: ClusterRuntime, claim: KubeObject): boolean {
  return runtime.store
    .list(pods, namespaceOf(claim))
    .some(
      (pod) =>
        !isFinished(pod) &&
        objectsAt(pod, 'spec', 'volumes').some(
          (volume) => textAt(volume, 'persistentVolumeClaim', 'claimName') === nameOf(claim),
        ),
    );
}

function provision(runtime: ClusterRuntime, claim: KubeObject): void {
  const current = runtime.store.find(claims, namespaceOf(claim), nameOf(claim));
  if (current === undefined || uidOf(current) !== uidOf(claim) || isTerminating(current) || !isDriverUp(runtime))
    return;
  const storageClass = textAt(current, 'spec', 'storageClassName') ?? '';
  const policy = textAt(runtime.store.find(storageClasses, '', storageClass), 'reclaimPolicy') ?? 'Delete';
  const size = textAt(current, 'spec', 'resources', 'requests', 'storage') ?? '1Gi';
  const name = `pvc-${uidOf(current)}`;
  const id = randomUUID();
  runtime.world.records.save('volume', {
    id,
    name,
    clusterId: runtime.cluster.id,
    sizeGb: Math.ceil(quantity(size) / 1_073_741_824),
  });
  runtime.world.effect('volume created', noOrigin, { id, name, cluster: runtime.cluster.id });
  const volume = {
    metadata: { name, annotations: { 'pv.kubernetes.io/provisioned-by': provisioner } },
    spec: {
      capacity: { storage: size },
      accessModes: ['ReadWriteOnce'],
      persistentVolumeReclaimPolicy: policy,
      storageClassName: storageClass,
      claimRef: {
        kind: 'PersistentVolumeClaim',
        namespace: namespaceOf(current),
        name: nameOf(current),
        uid: uidOf(current),
      },
      csi: { driver: provisioner, volumeHandle: id },
    },
    status: { phase: 'Bound' },
  };
  setDefaults(persistentVolumes, volume);
  if (runtime.store.find(persistentVolumes, '', name) === undefined) runtime.store.create(persistentVolumes, volume);
  runtime.store.change(claims, current, (draft) => {
    part(draft, 'spec')['volumeName'] = name;
    Object.assign(part(draft, 'status'), {
      phase: 'Bound',
      capacity: { storage: size },
      accessModes: ['ReadWriteOnce'],
    });
  });
}

function lookAtClaim(runtime: ClusterRuntime, claim: KubeObject): void {
  if (isTerminating(claim)) {
    if (isUsed(runtime, claim)) return;
    runtime.store.change(claims, claim, (draft) => {
      part(draft, 'metadata')['finalizers'] = finalizersOf(claim).filter(
        (entry) => entry !== 'kubernetes.io/pvc-protection',
      );
    });
    return;
  }
  if (textAt(claim, 'status', 'phase') !== 'Bound' && isDriverUp(runtime)) {
    runtime.after(`provision/${uidOf(claim)}`, latencyMs.volume, () => provision(runtime, claim));
  }
}

function lookAtVolume(runtime: ClusterRuntime, volume: KubeObject): void {
  const claim = runtime.store.find(
    claims,
    textAt(volume, 'spec', 'claimRef', 'namespace') ?? '',
    textAt(volume, 'spec', 'claimRef', 'name') ?? '',
  );
  if (claim !== undefined && uidOf(claim) === textAt(volume, 'spec', 'claimRef', 'uid')) return;
  if (textAt(volume, 'spec', 'claimRef', 'uid') === undefined) return;
  if (textAt(volume, 'spec', 'persistentVolumeReclaimPolicy') !== 'Delete') {
    runtime.store.setStatus(persistentVolumes, volume, { phase: 'Released' });
    return;
  }
  if (!isDriverUp(runtime)) return;
  runtime.after(`delete/${uidOf(volume)}`, latencyMs.volume, () => {
    const cluster = runtime.cluster.tag ?? runtime.cluster.name;
    if (runtime.world.faults.take({ event: 'volume', path: nameOf(volume), cluster }, ['never']) !== undefined) return;
    const id = textAt(volume, 'spec', 'csi', 'volumeHandle') ?? '';
    runtime.world.records.remove('volume', id);
    runtime.world.effect('volume deleted', noOrigin, { id, name: nameOf(volume), cluster: runtime.cluster.id });
    runtime.store.remove(persistentVolumes, volume);
  });
}

export function runVolumes(runtime: ClusterRuntime): void {
  for (const claim of runtime.store.list(claims)) lookAtClaim(runtime, claim);
  for (const volume of runtime.store.list(persistentVolumes)) lookAtVolume(runtime, volume);
}
