/** Kubernetes versions are compared by number, never as text: 1.9 is older than 1.15. */
function parts(version: string): readonly [number, number, number] {
  const [major = 0, minor = 0, patch = 0] = version.replace(/^v/, '').split(/[.+-]/).map(Number);
  return [major, minor, patch];
}

/** Negative: `a` is older. */
export function compareVersions(a: string, b: string): number {
  const [first, second] = [parts(a), parts(b)];
  for (const index of [0, 1, 2] as const) if (first[index] !== second[index]) return first[index] - second[index];
  return 0;
}

/** `fine`, or why a cluster cannot go from one version to another: never down, one minor at a time (cluster-semantics 2.5). */
export function canUpgrade(from: string, to: string): 'fine' | string {
  const [a, b] = [parts(from), parts(to)];
  if (compareVersions(to, from) < 0) return `${to} is older than ${from}; a cluster is never downgraded.`;
  if (a[0] !== b[0]) return `${to} has another major version than ${from}.`;
  if (b[1] - a[1] > 1) return `One minor version at a time: from ${from} to 1.${a[1] + 1} first.`;
  return 'fine';
}
