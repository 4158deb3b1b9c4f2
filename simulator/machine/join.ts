/** kubeadm join: through the load balancer, with a token, after checking the cluster's CA. */
import { createHash, X509Certificate } from 'node:crypto';
import { attempts, latencyMs } from '@/simulator/core/latency';
import { noOrigin } from '@/simulator/core/ledger';
import type { Cluster, Intent, Machine } from '@/simulator/core/machine-model';
import type { Iso } from '@/simulator/core/model';
import type { World } from '@/simulator/world';
import { checkDocumentVersion } from './initialise';
import { BootstrapError, finishBootstrap, type Script } from './script';

/** `sha256:` and the hash of the CA's public key, as `caCertHashes` pins it. */
export function caHash(caPem: string): string {
  const spki = new X509Certificate(caPem).publicKey.export({ type: 'spki', format: 'der' });
  return `sha256:${createHash('sha256').update(spki).digest('hex')}`;
}

/** Kubelets may be up to three minors older than the API server, never newer; control nodes must be of its minor. */
function skewProblem(cluster: Cluster, version: string, control: boolean): string | null {
  const serverMinor = Number(cluster.version.split('.')[1]);
  const minor = Number(version.split('.')[1]);
  if (minor > serverMinor) return `v${version} is newer than the API server (v${cluster.version})`;
  const tooOld = control ? minor < serverMinor : serverMinor - minor > 3;
  return tooOld ? `v${version} does not fit the API server (v${cluster.version})` : null;
}

/** What keeps this attempt from joining, or the cluster it may join. Everything here may come right later, so it is retried. */
function attempt(world: World, machine: Machine, intent: Intent, version: string): Cluster | string {
  if (intent.endpoint === null) return 'no apiServerEndpoint';
  const cluster = world.edges.clusterBehind(intent.endpoint);
  if (cluster === undefined) return `${intent.endpoint} can't be reached`;
  if (intent.token === null || !world.clusters.isTokenValid(cluster, intent.token))
    return 'the bootstrap token is invalid or has expired';
  if (!intent.caCertHashes.includes(caHash(cluster.caPem))) return 'none of the public keys matches the pinned CA hash';
  if (world.clusters.isNodeTaken(cluster, machine)) return `a node ${intent.nodeName} exists and is Ready`;
  const control = machine.inside.role === 'control';
  if (control && certificateOf(intent, 'ca.crt') !== certificateOf({ files: { 'ca.crt': cluster.caPem } }, 'ca.crt'))
    return "ca.crt is not the cluster's";
  if (control && intent.files['ca.key'] === undefined) return 'ca.key is not among the files';
  return skewProblem(cluster, version, control) ?? cluster;
}

function certificateOf(intent: Pick<Intent, 'files'>, name: string): string {
  try {
    return new X509Certificate(intent.files[name] ?? '').fingerprint256;
  } catch {
    return 'unreadable';
  }
}

/** Retries as the unit does, until it is in or gives up. */
export async function joinCluster(script: Script, iso: Iso): Promise<void> {
  const { world } = script;
  const { intent } = script.machine().inside;
  const version = iso.kubernetesVersion;
  if (intent === null || version === null) throw new BootstrapError('nothing to join');
  checkDocumentVersion(script.machine(), iso);
  await world.clusters.passJoinFaults(script);
  let last = '';
  for (let count = 0; count < attempts.join; count += 1) {
    const result = attempt(world, script.machine(), intent, version);
    if (typeof result !== 'string') {
      await script.sleep(world.random.jitter(latencyMs.join));
      return enter(script, result, version);
    }
    if (result !== last) script.log(`kubeadm join: ${result}`);
    last = result;
    await script.sleep(latencyMs.retry);
  }
  throw new BootstrapError(last);
}

function enter(script: Script, cluster: Cluster, version: string): void {
  const { world } = script;
  const machine = script.machine();
  const control = machine.inside.role === 'control';
  if (control && cluster.etcdEndpoints.length === 0 && !cluster.memberIds.includes(machine.id)) {
    cluster.memberIds = [...cluster.memberIds, machine.id];
    world.records.save('cluster', cluster);
  }
  finishBootstrap(script, { clusterId: cluster.id, version, serving: control });
  world.clusters.registerNode(cluster, machine);
  world.effect('node joined', noOrigin, { cluster: cluster.id, name: machine.name, version, control });
}
