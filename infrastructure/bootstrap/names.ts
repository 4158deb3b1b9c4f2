/** Names and tags in the cloud. Names are the identity: derived, never random, so that an attempt finds what an earlier one made. */

export interface MachineIdentity {
  readonly clusterName: string;
  readonly clusterId: string;
  readonly role: 'control' | 'worker' | 'etcd';
  /** Counted from 1 within the role. */
  readonly ordinal: number;
  /** Counted from 1; a replaced machine takes the next one, so that a late create of the old one cannot collide (B.4). */
  readonly generation: number;
}

/** CloudStack host names, DNS labels and Kubernetes node names all allow this much. */
const longestName = 63;
const longestSlug = 32;
const shortIdLength = 8;

/**
 * `<name>-<piece of the id>-<role>-<ordinal>`, and `-g<generation>` from the second on. Only `[a-z0-9-]`, letter first: Go
 * clients sign other characters differently (A.2), and MySQL may compare without case.
 */
export function machineName(identity: MachineIdentity): string {
  assertCount(identity.ordinal, 'ordinal');
  assertCount(identity.generation, 'generation');
  const generation = identity.generation === 1 ? '' : `-g${identity.generation}`;
  const prefix = clusterNamePrefix({ id: identity.clusterId, name: identity.clusterName });
  const name = `${prefix}${identity.role}-${identity.ordinal}${generation}`;
  if (name.length > longestName) throw new Error(`The machine name ${name} is longer than ${longestName} characters.`);
  return name;
}

/** Every machine of the cluster has a name that begins so, and no other cluster's has. */
export function clusterNamePrefix(cluster: { id: string; name: string }): string {
  return `${slug(cluster.name)}-${shortId(cluster.id)}-`;
}

/** The cluster's own network. Duplicate network names are allowed by the cloud, so the id must be in it (B.1). */
export function networkName(cluster: { id: string; name: string }): string {
  return `${clusterNamePrefix(cluster)}network`;
}

export const tagKeys = { installation: 'holdfast', cluster: 'holdfast-cluster', node: 'holdfast-node' } as const;

/** For everything that takes tags. They find leaks and never identify, because they are set after the create. */
export function clusterTags(installationId: string, clusterId: string): Record<string, string> {
  return { [tagKeys.installation]: installationId, [tagKeys.cluster]: clusterId };
}

/** For machines besides `clusterTags`; `place` names the node within its cluster, as in `control-1`. */
export function nodeTags(place: string): Record<string, string> {
  return { [tagKeys.node]: place };
}

function slug(clusterName: string): string {
  const plain = clusterName
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, longestSlug)
    .replace(/^-+|-+$/g, '');
  if (plain === '') return 'cluster';
  return /^[a-z]/.test(plain) ? plain : `c-${plain}`;
}

/** The end of a UUID is random in every version; the beginning of a version 7 is the time. */
function shortId(clusterId: string): string {
  const digits = clusterId.toLowerCase().replace(/[^0-9a-f]/g, '');
  if (digits.length < shortIdLength) throw new Error('A cluster id must hold at least eight hexadecimal digits.');
  return digits.slice(-shortIdLength);
}

function assertCount(value: number, what: string): void {
  if (!Number.isInteger(value) || value < 1)
    throw new Error(`A machine's ${what} is a whole number from 1 on, not ${value}.`);
}
