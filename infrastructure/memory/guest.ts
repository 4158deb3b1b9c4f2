/** What a machine does with its user data: the same reading that the set-up script stands for. */
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { parseCloudConfig } from '@/infrastructure/bootstrap/cloud-config';

export type Intent =
  | {
      readonly kind: 'init';
      readonly nodeName: string;
      readonly version: string;
      readonly endpoint: string;
      readonly token: string;
      readonly etcd: readonly string[];
      readonly caPem: string;
      readonly caKeyPem: string;
    }
  | {
      readonly kind: 'join';
      readonly nodeName: string;
      readonly version: string;
      readonly endpoint: string;
      readonly token: string;
      readonly caHashes: readonly string[];
      readonly controlPlane: boolean;
      readonly caPem: string | null;
    }
  | { readonly kind: 'etcd' }
  | { readonly kind: 'nothing' };

const registration = z.object({ name: z.string() });
const clusterDocument = z.object({
  kind: z.literal('ClusterConfiguration'),
  kubernetesVersion: z.string(),
  controlPlaneEndpoint: z.string(),
  etcd: z.object({ external: z.object({ endpoints: z.array(z.string()) }) }).optional(),
});
const initDocument = z.object({
  kind: z.literal('InitConfiguration'),
  bootstrapTokens: z.array(z.object({ token: z.string() })).min(1),
  nodeRegistration: registration,
});
const joinDocument = z.object({
  kind: z.literal('JoinConfiguration'),
  discovery: z.object({
    bootstrapToken: z.object({ apiServerEndpoint: z.string(), token: z.string(), caCertHashes: z.array(z.string()) }),
  }),
  nodeRegistration: registration,
  controlPlane: z.unknown().optional(),
});

/** Anything that is not a bootstrap is a plain machine, which simply runs. */
export function readIntent(userData: string): Intent {
  let files: ReadonlyMap<string, string>;
  try {
    files = new Map(parseCloudConfig(userData).write_files.map((file) => [file.path, file.content]));
  } catch {
    return { kind: 'nothing' };
  }
  if (files.has('/etc/systemd/system/etcd.service')) return { kind: 'etcd' };
  const version = /^KUBERNETES_VERSION=(.*)$/m.exec([...files.values()].join('\n'))?.[1] ?? '';
  const documents = parseAllDocuments(files.get('/etc/holdfast/kubeadm.yaml') ?? '').map((document): unknown =>
    document.toJS(),
  );
  return initIntent(documents, files) ?? joinIntent(documents, files, version) ?? { kind: 'nothing' };
}

function initIntent(documents: readonly unknown[], files: ReadonlyMap<string, string>): Intent | undefined {
  const cluster = firstOf(documents, clusterDocument);
  const init = firstOf(documents, initDocument);
  const token = init?.bootstrapTokens[0]?.token;
  const caPem = files.get('/etc/kubernetes/pki/ca.crt');
  const caKeyPem = files.get('/etc/kubernetes/pki/ca.key');
  if (
    cluster === undefined ||
    init === undefined ||
    token === undefined ||
    caPem === undefined ||
    caKeyPem === undefined
  )
    return undefined;
  return {
    kind: 'init',
    nodeName: init.nodeRegistration.name,
    version: cluster.kubernetesVersion.replace(/^v/, ''),
    endpoint: cluster.controlPlaneEndpoint,
    token,
    etcd: cluster.etcd?.external.endpoints ?? [],
    caPem,
    caKeyPem,
  };
}

function joinIntent(
  documents: readonly unknown[],
  files: ReadonlyMap<string, string>,
  version: string,
): Intent | undefined {
  const join = firstOf(documents, joinDocument);
  if (join === undefined) return undefined;
  const { apiServerEndpoint, token, caCertHashes } = join.discovery.bootstrapToken;
  return {
    kind: 'join',
    nodeName: join.nodeRegistration.name,
    version,
    endpoint: apiServerEndpoint,
    token,
    caHashes: caCertHashes,
    controlPlane: join.controlPlane !== undefined,
    caPem: files.get('/etc/kubernetes/pki/ca.crt') ?? null,
  };
}

function firstOf<T>(documents: readonly unknown[], schema: z.ZodType<T>): T | undefined {
  for (const document of documents) {
    const parsed = schema.safeParse(document);
    if (parsed.success) return parsed.data;
  }
  return undefined;
}
