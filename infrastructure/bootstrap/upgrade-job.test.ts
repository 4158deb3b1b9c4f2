import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { bootstrapTokenReference, bootstrapTokenSecret, createBootstrapToken } from './bootstrap-token';
import { upgradeJob, upgradeJobName } from './upgrade-job';
import { upgradeScript } from './upgrade-script';

const request = {
  nodeName: 'demo-8d21e0f4-worker-3',
  targetVersion: '1.32.1',
  first: false,
  serverVersion: '1.31.4',
  image: 'registry.k8s.io/kube-proxy:v1.31.4',
};

describe('the upgrade job', () => {
  it('has one name for a node and a version, and another for the next version', () => {
    expect(upgradeJobName(request)).toBe(upgradeJobName({ ...request }));
    expect(upgradeJobName(request)).not.toBe(upgradeJobName({ ...request, targetVersion: '1.32.2' }));
    expect(upgradeJobName({ nodeName: 'n'.repeat(63), targetVersion: '1.32.1-rc.1' })).toMatch(/^[a-z0-9.-]{1,63}$/);
  });

  it('runs on its node though that is cordoned, with the power over the host', () => {
    const { job, configMap } = upgradeJob(request);
    expect(job).toMatchObject({
      metadata: { name: configMap.metadata.name, namespace: 'kube-system' },
      spec: {
        podReplacementPolicy: 'Failed',
        template: {
          spec: {
            nodeName: request.nodeName,
            hostPID: true,
            tolerations: [{ operator: 'Exists' }],
            containers: [{ securityContext: { privileged: true } }],
          },
        },
      },
    });
    expect(configMap['data']).toMatchObject({ target: 'v1.32.1', node: request.nodeName });
  });

  it('leaves out what older API servers do not know', () => {
    expect(JSON.stringify(upgradeJob({ ...request, serverVersion: '1.28.9' }).job)).not.toContain(
      'podReplacementPolicy',
    );
  });

  it('applies on the first control node and follows on the others, in a script that bash can read', () => {
    const first = upgradeScript({ targetVersion: '1.32.1', first: true });
    expect(first).toContain('FIRST=yes');
    expect(upgradeScript({ targetVersion: '1.32.1', first: false })).toContain('FIRST=no');
    const checked = spawnSync('bash', ['-n'], { input: first, encoding: 'utf8' });
    expect(checked.error === undefined ? checked.stderr : '').toBe('');
  });
});

describe('bootstrap tokens', () => {
  it('become the Secret that kubeadm accepts', () => {
    const token = createBootstrapToken();
    expect(token).toMatch(/^[a-z0-9]{6}\.[a-z0-9]{16}$/);
    const secret = bootstrapTokenSecret({ token, expiresAt: new Date('2026-12-01T15:00:00.123Z') });
    expect(secret).toMatchObject({
      type: 'bootstrap.kubernetes.io/token',
      metadata: { name: `bootstrap-token-${token.slice(0, 6)}`, namespace: 'kube-system' },
      stringData: { 'token-id': token.slice(0, 6), 'token-secret': token.slice(7), expiration: '2026-12-01T15:00:00Z' },
    });
    expect(bootstrapTokenReference(token).name).toBe(secret.metadata.name);
  });

  it('are refused when malformed', () => {
    expect(() => bootstrapTokenReference('nonsense')).toThrow('Not a bootstrap token');
  });
});
