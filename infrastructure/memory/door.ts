import { X509Certificate } from 'node:crypto';
import type { CallContext } from '@/infrastructure/cloud';
import { type ClusterAccess, KubernetesError } from '@/infrastructure/kubernetes';
import { apiIsUp, type MemoryCluster } from './cluster';
import { kubeWords } from './kube-words';
import type { World } from './world';

/** The way into one cluster: every call asks anew whether it is open. */
export interface Door {
  readonly world: World;
  open(): MemoryCluster;
  read<T>(
    call: CallContext,
    about: { method: string; subject: string },
    look: (cluster: MemoryCluster) => T,
  ): Promise<T>;
  change(
    call: CallContext,
    about: { method: string; subject: string },
    act: { isSo: (cluster: MemoryCluster) => boolean; change: (cluster: MemoryCluster) => void },
  ): Promise<void>;
}

export function createDoor(world: World, access: ClusterAccess): Door {
  const open = () => reachable(world, access);
  return {
    world,
    open,
    read: (call, about, look) => world.acts.read(call, kubeWords, { ...about, look: () => look(open()) }),
    change: async (call, about, act) => {
      await world.acts.change(call, kubeWords, {
        ...about,
        look: () => (act.isSo(open()) ? true : undefined),
        change: () => {
          act.change(open());
          return true;
        },
      });
    },
  };
}

/** As a connection would fail: nobody there, another cluster's authority, a certificate that it did not sign. */
function reachable(world: World, access: ClusterAccess): MemoryCluster {
  const cluster = world.clusters.find((each) => `https://${each.endpoint}` === access.endpoint.replace(/\/$/, ''));
  if (cluster === undefined || !apiIsUp(world, cluster))
    throw new KubernetesError('unreachable', `nobody answers at ${access.endpoint}`);
  if (cluster.caPem.trim() !== access.caPem.trim())
    throw new KubernetesError('unreachable', 'its certificate was signed by somebody else');
  if (!isSignedBy(access.certificatePem, cluster.caPem))
    throw new KubernetesError('denied', 'Unauthorized', { code: 401 });
  if (cluster.apiFault === 'not-ready')
    throw new KubernetesError('not-ready', 'the API server is not ready', { code: 500 });
  return cluster;
}

/** Asked with every call and decided once: reading certificates would be most of the work of a long test. */
const decided = new Map<string, boolean>();

function isSignedBy(certificatePem: string, caPem: string): boolean {
  const key = certificatePem + caPem;
  const known = decided.get(key);
  if (known !== undefined) return known;
  const signed = isSignedAfterReading(certificatePem, caPem);
  decided.set(key, signed);
  return signed;
}

function isSignedAfterReading(certificatePem: string, caPem: string): boolean {
  try {
    return new X509Certificate(certificatePem).verify(new X509Certificate(caPem).publicKey);
  } catch {
    return false;
  }
}
