import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import type { KubernetesApi, KubernetesObject } from '@/infrastructure/kubernetes';
import { type StepContext, StepFailed } from '../step';

/** Where the first control node publishes what its binaries ISO brought (cloud.md C.7). */
const manifestMap = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  namespace: 'kube-system',
  name: 'holdfast-manifests',
} as const;

const configMap = z.object({ data: z.record(z.string(), z.string()).default({}) });
const kubernetesObject = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
});

/** What must exist before what: CRDs, namespaces, accounts and rights, configuration, then the rest. */
const order: readonly string[] = [
  'CustomResourceDefinition',
  'Namespace',
  'ServiceAccount',
  'ClusterRole',
  'Role',
  'ClusterRoleBinding',
  'RoleBinding',
  'Secret',
  'ConfigMap',
];

/** The ISO's manifest files by name; empty when the first control node has published none. Large ones go on in `-2`, `-3` … */
export async function publishedManifests(
  step: StepContext,
  api: KubernetesApi,
): Promise<Readonly<Record<string, string>>> {
  const files: Record<string, string> = {};
  for (let part = 1; ; part += 1) {
    const name = part === 1 ? manifestMap.name : `${manifestMap.name}-${part}`;
    const found = await api.get(step.call, { ...manifestMap, name });
    if (found === null) return files;
    Object.assign(files, configMap.parse(found).data);
  }
}

/** The objects of a manifest file, in the order in which they can be applied. Throws `StepFailed` when it is no manifest. */
export function objectsIn(file: string, text: string): readonly KubernetesObject[] {
  const objects = parseAllDocuments(text).flatMap((document) => {
    const value: unknown = document.toJS();
    if (value === null || value === undefined) return [];
    const parsed = kubernetesObject.safeParse(value);
    if (!parsed.success || document.errors.length > 0)
      throw new StepFailed(`${file} on the binaries ISO is not a manifest.`);
    return [parsed.data as unknown as KubernetesObject];
  });
  const rank = (object: KubernetesObject) => {
    const place = order.indexOf(object.kind);
    return place === -1 ? order.length : place;
  };
  return [...objects].sort((a, b) => rank(a) - rank(b));
}

const conditions = z.object({
  status: z
    .object({ conditions: z.array(z.object({ type: z.string(), status: z.string() })).default([]) })
    .default({ conditions: [] }),
});

/** Applies one object after the other; repeatable. A custom resource definition is waited for before what uses it. */
export async function applyAll(
  step: StepContext,
  api: KubernetesApi,
  objects: readonly KubernetesObject[],
): Promise<void> {
  for (const object of objects) {
    await api.apply(step.call, object);
    if (object.kind !== 'CustomResourceDefinition') continue;
    const { name } = object.metadata;
    await step.waitFor(
      async () => {
        const now = await api.get(step.call, { apiVersion: object.apiVersion, kind: object.kind, name });
        const established = conditions
          .safeParse(now)
          .data?.status.conditions.some((condition) => condition.type === 'Established' && condition.status === 'True');
        return established === true ? true : undefined;
      },
      () => `the definition ${name} was not established in time.`,
    );
  }
}
