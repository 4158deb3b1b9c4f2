import { describe, expect, it } from 'vitest';
import { clusterNamePrefix, clusterTags, machineName, networkName, nodeTags } from './names';

const clusterId = '01931f7e-2c5a-7d41-9b7e-5a3c8d21e0f4';
const identity = { clusterName: 'demo', clusterId, role: 'worker', ordinal: 3, generation: 1 } as const;

describe('machine names', () => {
  it('are derived from cluster, role, ordinal and generation', () => {
    expect(machineName(identity)).toBe('demo-8d21e0f4-worker-3');
    expect(machineName({ ...identity, generation: 2 })).toBe('demo-8d21e0f4-worker-3-g2');
  });

  it('differ between clusters that share a name, also of ids made in the same second', () => {
    const sibling = '01931f7e-2c5a-7d41-9b7e-5a3c8d21e0f5';
    expect(machineName({ ...identity, clusterId: sibling })).not.toBe(machineName(identity));
  });

  it('are valid host names whatever the cluster is called', () => {
    for (const clusterName of ['9lives', 'Ünïcode & more', '---', '', 'x'.repeat(40), 'a.b_c', '-a-']) {
      const name = machineName({ ...identity, clusterName, role: 'control', ordinal: 10, generation: 999 });
      expect(name).toMatch(/^[a-z]([a-z0-9-]*[a-z0-9])?$/);
      expect(name.length).toBeLessThanOrEqual(63);
    }
  });

  it('begin with the prefix of their cluster', () => {
    const cluster = { id: clusterId, name: 'demo' };
    expect(machineName(identity).startsWith(clusterNamePrefix(cluster))).toBe(true);
    expect(networkName(cluster)).toBe('demo-8d21e0f4-network');
  });

  it('are refused for ordinals that cannot be', () => {
    expect(() => machineName({ ...identity, ordinal: 0 })).toThrow('ordinal');
    expect(() => machineName({ ...identity, generation: 1.5 })).toThrow('generation');
  });
});

it('tags name installation, cluster and place', () => {
  expect({ ...clusterTags('installation', clusterId), ...nodeTags('worker-3') }).toEqual({
    holdfast: 'installation',
    'holdfast-cluster': clusterId,
    'holdfast-node': 'worker-3',
  });
});
