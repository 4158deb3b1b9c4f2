import { z } from 'zod';
import type { KubernetesObject } from '@/infrastructure/kubernetes';
import { StepFailed } from '../step';

export interface AutoscalerFill {
  readonly clusterId: string;
  readonly minSize: number;
  readonly maxSize: number;
  /** The secret that carries Holdfast's address and the cluster's own keys. */
  readonly secretName: string;
}

const container = z.looseObject({
  command: z.array(z.string()).optional(),
  args: z.array(z.string()).optional(),
});
const volume = z.looseObject({ name: z.string(), secret: z.looseObject({ secretName: z.string() }).optional() });
const deployment = z.looseObject({
  spec: z.looseObject({
    template: z.looseObject({
      spec: z.looseObject({ containers: z.array(container), volumes: z.array(volume).default([]) }),
    }),
  }),
});

/** As the ISO names it, for the cloud provider; with it the autoscaler would call CloudStack, past every rule of ours. */
const cloudSecretName = 'cloudstack-secret';
const configVolume = 'cloud-config';

/**
 * The ISO's autoscaler as this cluster needs it: bounds and id in its arguments, and the volume `cloud-config` from Holdfast's secret.
 * Works on the parsed objects, so that a value can never become manifest. Throws `StepFailed` where the manifest is not as expected.
 */
export function fillAutoscaler(
  objects: readonly KubernetesObject[],
  fill: AutoscalerFill,
): readonly KubernetesObject[] {
  return objects.map((object) => (object.kind === 'Deployment' ? filled(object, fill) : object));
}

function filled(object: KubernetesObject, fill: AutoscalerFill): KubernetesObject {
  const parsed = deployment.safeParse(object);
  if (!parsed.success) throw new StepFailed('autoscaler.yaml on the binaries ISO holds a Deployment that is none.');
  const pod = parsed.data.spec.template.spec;
  const containers = pod.containers.map((each) => ({
    ...each,
    ...(each.command === undefined ? {} : { command: each.command.map((word) => fillWord(word, fill)) }),
    ...(each.args === undefined ? {} : { args: each.args.map((word) => fillWord(word, fill)) }),
  }));
  const wanted = `--nodes=${fill.minSize}:${fill.maxSize}:${fill.clusterId}`;
  const words = containers.flatMap((each) => [...(each.command ?? []), ...(each.args ?? [])]);
  // The provider reads the first `--nodes` only.
  if (words.find((word) => word.startsWith('--nodes=')) !== wanted) {
    throw new StepFailed(
      'autoscaler.yaml on the binaries ISO has no place for bounds and cluster (--nodes=<min>:<max>:<cluster-id>).',
    );
  }
  const volumes = pod.volumes.map((each) =>
    each.secret !== undefined && (each.name === configVolume || each.secret.secretName === cloudSecretName)
      ? { ...each, secret: { ...each.secret, secretName: fill.secretName } }
      : each,
  );
  if (!volumes.some((each) => each.secret?.secretName === fill.secretName)) {
    throw new StepFailed(`autoscaler.yaml on the binaries ISO mounts no secret as ${configVolume}.`);
  }
  const { spec } = parsed.data;
  return {
    ...object,
    spec: { ...spec, template: { ...spec.template, spec: { ...pod, containers, volumes } } },
  };
}

function fillWord(word: string, fill: AutoscalerFill): string {
  return word
    .replaceAll('<cluster-id>', fill.clusterId)
    .replaceAll('<min>', String(fill.minSize))
    .replaceAll('<max>', String(fill.maxSize));
}
