import { describe, expect, test } from 'vitest';
import { autoscalerManifest } from '@/simulator/kubernetes/manifests-cloud';
import { fillAutoscaler } from './autoscaler';
import { objectsIn } from './manifests';

const fill = {
  clusterId: '6f1c2f0e-0000-4000-8000-000000000001',
  minSize: 1,
  maxSize: 4,
  secretName: 'holdfast-autoscaler',
};

const filled = (text: string) =>
  fillAutoscaler(objectsIn('autoscaler.yaml', text), fill).find((object) => object.kind === 'Deployment');

describe("the ISO's autoscaler", () => {
  test('gets bounds and cluster as its first --nodes, and the secret that leads to Holdfast', () => {
    expect(filled(autoscalerManifest)).toMatchObject({
      spec: {
        template: {
          spec: {
            containers: [{ command: expect.arrayContaining([`--nodes=1:4:${fill.clusterId}`]) }],
            volumes: [{ name: 'cloud-config', secret: { secretName: 'holdfast-autoscaler' } }],
          },
        },
      },
    });
    expect(JSON.stringify(filled(autoscalerManifest))).not.toContain('cloudstack-secret');
  });

  test('keeps everything else of the manifest', () => {
    const before = objectsIn('autoscaler.yaml', autoscalerManifest);
    const after = fillAutoscaler(before, fill);
    expect(after.map((object) => object.kind)).toEqual(before.map((object) => object.kind));
    const undone = JSON.stringify(after)
      .replace(`--nodes=1:4:${fill.clusterId}`, '--nodes=<min>:<max>:<cluster-id>')
      .replace('holdfast-autoscaler', 'cloudstack-secret');
    expect(JSON.parse(undone)).toEqual(before);
  });

  test.each([
    ['no place for the bounds', ['- --nodes=<min>:<max>:<cluster-id>', '- --v=5'], /no place for bounds/],
    ['bounds of its own first', ['- --v=4', '- --nodes=1:9:other'], /no place for bounds/],
    [
      'no secret for its configuration',
      ['secretName: cloudstack-secret', 'optional: true'],
      /is none|mounts no secret/,
    ],
  ])('with %s it is refused rather than deployed half filled', (_what, [from = '', to = ''], message) => {
    expect(autoscalerManifest).toContain(from);
    expect(() => filled(autoscalerManifest.replace(from, to))).toThrow(message);
  });
});
