/** Why a pod of a component does not get ready: its secret, its keys, the way out, or a fault. */

import { isKeyPairKnown } from '@/simulator/cloudstack/accounts';
import { textAt } from '@/simulator/core/json';
import type { ClusterRuntime } from '@/simulator/kubernetes/cluster-runtime';
import { controllerOf, type KubeObject, labelsOf, nameOf } from '@/simulator/kubernetes/objects';
import { secrets } from '@/simulator/kubernetes/resources';

/** The values of an INI text, by key. */
export function readIni(text: string): Record<string, string> {
  const values: Record<string, string> = {};
  for (const line of text.split('\n')) {
    const parts = /^\s*([\w-]+)\s*=\s*"?(.*?)"?\s*$/.exec(line);
    if (parts?.[1] !== undefined) values[parts[1].toLowerCase()] = parts[2] ?? '';
  }
  return values;
}

export function cloudConfigOf(runtime: ClusterRuntime, secretName: string): Record<string, string> | null {
  const secret = runtime.store.find(secrets, 'kube-system', secretName);
  const encoded = textAt(secret, 'data', 'cloud-config');
  return encoded === undefined ? null : readIni(Buffer.from(encoded, 'base64').toString('utf8'));
}

/** Behind a network that lets nothing out, nobody reaches the CloudStack API. */
export function hasWayOut(runtime: ClusterRuntime): boolean {
  const { records } = runtime.world;
  const network = records.get('network', runtime.machines()[0]?.networkId ?? '');
  const offering = records.get('networkOffering', network?.offeringId ?? '');
  if (network === undefined || offering === undefined || offering.egressAllowed) return true;
  return (
    records.find(
      'firewall',
      (rule) =>
        rule.direction === 'egress' &&
        rule.networkId === network.id &&
        rule.protocol !== 'udp' &&
        rule.protocol !== 'icmp',
    ) !== undefined
  );
}

function checkCloud(runtime: ClusterRuntime): string | null {
  const config = cloudConfigOf(runtime, 'cloudstack-secret');
  if (config === null) return 'secret cloudstack-secret has no cloud-config';
  if ((config['api-url'] ?? '') === '') return 'the cloud-config has no api-url';
  if (!isKeyPairKnown(runtime.world, config['api-key'] ?? '', config['secret-key'] ?? ''))
    return 'CloudStack API error 401: unable to verify user credentials';
  return hasWayOut(runtime) ? null : 'dial tcp: i/o timeout: the network lets nothing out';
}

/** The component's name: of the workload that owns the pod. */
function componentName(pod: KubeObject): string {
  const owner = textAt(controllerOf(pod), 'name') ?? nameOf(pod);
  const hash = labelsOf(pod)['pod-template-hash'];
  return hash === undefined ? owner : owner.replace(`-${hash}`, '');
}

/** What keeps the pod from being ready, or null. */
export function componentHold(runtime: ClusterRuntime, pod: KubeObject): string | null {
  const component = componentName(pod);
  const cluster = runtime.cluster.tag ?? runtime.cluster.name;
  const fault = runtime.world.faults.take({ event: 'component', path: component, cluster }, ['never', 'not-ready']);
  if (fault !== undefined) return 'held by a fault';
  if (component === 'cloud-controller-manager' || component === 'cloudstack-csi-controller') return checkCloud(runtime);
  return null;
}
