/** What a machine makes of its user data: the document as cloud-init reads it, and what kubeadm would be asked to do. */
import { gunzipSync } from 'node:zlib';
import { parse, parseAllDocuments } from 'yaml';
import {
  isObject,
  type Json,
  type JsonObject,
  listAt,
  numberAt,
  objectAt,
  objectsAt,
  pick,
  textAt,
} from '@/simulator/core/json';
import type { Intent, Role } from '@/simulator/core/machine-model';

/** Cloud-init fails silently; the reason goes to the console. */
export class UserDataError extends Error {}

interface WrittenFile {
  path: string;
  content: string;
}

function unpack(bytes: Buffer): Buffer {
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes;
}

/** From the API's base64 to the text of the document. */
export function decodeUserData(userData: string): string {
  if (userData === '') throw new UserDataError('no user data');
  const text = unpack(Buffer.from(userData, 'base64')).toString('utf8');
  if (text.split('\n')[0]?.trimEnd() !== '#cloud-config')
    throw new UserDataError('the first line is not #cloud-config');
  return text;
}

function contentOf(file: JsonObject): string {
  const content = textAt(file, 'content') ?? '';
  const encoding = (textAt(file, 'encoding') ?? '').toLowerCase();
  if (encoding === '' || encoding === 'text/plain') return content;
  const bytes = /b64|base64/.test(encoding) ? Buffer.from(content, 'base64') : Buffer.from(content, 'binary');
  return (/gz/.test(encoding) ? unpack(bytes) : bytes).toString('utf8');
}

function readFiles(text: string): WrittenFile[] {
  let document: unknown;
  try {
    document = parse(text);
  } catch (error) {
    throw new UserDataError(`the document is not YAML: ${error instanceof Error ? error.message.split('\n')[0] : ''}`);
  }
  if (!isObject(document)) throw new UserDataError('the document is not a mapping');
  return objectsAt(document, 'write_files').map((file) => {
    const path = textAt(file, 'path');
    if (path === undefined) throw new UserDataError('an entry of write_files has no path');
    if (file['permissions'] !== undefined && typeof file['permissions'] !== 'string')
      throw new UserDataError(`${path}: permissions is not a text`);
    return { path, content: contentOf(file) };
  });
}

function kubeadmDocuments(files: readonly WrittenFile[]): JsonObject[] {
  const found: JsonObject[] = [];
  for (const file of files) {
    if (!file.content.includes('kubeadm.k8s.io/')) continue;
    for (const document of parseAllDocuments(file.content)) {
      if (document.errors.length > 0) continue;
      const value = document.toJS() as Json;
      if (textAt(value, 'apiVersion')?.startsWith('kubeadm.k8s.io/') === true && isObject(value)) found.push(value);
    }
  }
  return found;
}

/** `30m`, `1h0m0s`, `0` (never ends) in milliseconds. */
function durationMs(text: string | undefined): number | null {
  if (text === undefined) return 24 * 3_600_000;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(h|m|s)/g)) {
    total += Number(amount) * (unit === 'h' ? 3_600_000 : unit === 'm' ? 60_000 : 1_000);
  }
  return total === 0 ? null : total;
}

/** Extra arguments: a map up to v1beta3, a list of name and value from v1beta4. */
function extraArgument(document: JsonObject, name: string): string | null {
  const given = pick(document, 'nodeRegistration', 'kubeletExtraArgs');
  if (!Array.isArray(given)) return textAt(given, name) ?? null;
  const entry = given.find((candidate) => textAt(candidate, 'name') === name);
  return textAt(entry, 'value') ?? null;
}

function certificateFiles(files: readonly WrittenFile[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const file of files) {
    const part = /\/pki\/(.+)$/.exec(file.path)?.[1];
    if (part !== undefined) found[part] = file.content;
  }
  return found;
}

function firstToken(initialise: JsonObject): { token: string | null; ttl: number | null } {
  const entry = listAt(initialise, 'bootstrapTokens')[0];
  const token = textAt(entry, 'token') ?? null;
  return { token, ttl: token === null ? null : durationMs(textAt(entry, 'ttl')) };
}

function labelsOf(document: JsonObject): Record<string, string> {
  const text = extraArgument(document, 'node-labels') ?? '';
  const pairs = text.split(',').filter((entry) => entry.includes('='));
  return Object.fromEntries(
    pairs.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
  );
}

function versionOf(text: string | undefined): string | null {
  return text === undefined ? null : text.replace(/^v/, '');
}

function intentOf(main: JsonObject, cluster: JsonObject, files: readonly WrittenFile[]): Intent {
  const taints = pick(main, 'nodeRegistration', 'taints');
  const first = firstToken(main);
  const discovery = objectAt(main, 'discovery', 'bootstrapToken');
  return {
    nodeName: (textAt(main, 'nodeRegistration', 'name') ?? '').toLowerCase(),
    version: versionOf(textAt(cluster, 'kubernetesVersion')),
    clusterName: textAt(cluster, 'clusterName') ?? 'kubernetes',
    endpoint: textAt(cluster, 'controlPlaneEndpoint') ?? textAt(discovery, 'apiServerEndpoint') ?? null,
    certSans: listAt(cluster, 'apiServer', 'certSANs').map(String),
    token: first.token ?? textAt(discovery, 'token') ?? textAt(main, 'discovery', 'tlsBootstrapToken') ?? null,
    tokenTtlMs: first.ttl,
    caCertHashes: listAt(discovery, 'caCertHashes').map(String),
    providerId: extraArgument(main, 'provider-id'),
    etcdEndpoints: listAt(cluster, 'etcd', 'external', 'endpoints').map(String),
    podSubnet: textAt(cluster, 'networking', 'podSubnet') ?? null,
    taints: Array.isArray(taints) ? taints.filter(isObject) : null,
    labels: labelsOf(main),
    files: certificateFiles(files),
  };
}

const emptyIntent = (files: readonly WrittenFile[]): Intent => intentOf({}, {}, files);

/** Which apiVersion kubeadm of this Kubernetes version reads. */
function checkApiVersion(document: JsonObject): string {
  const version = (textAt(document, 'apiVersion') ?? '').replace('kubeadm.k8s.io/', '');
  if (version !== 'v1beta3' && version !== 'v1beta4')
    throw new UserDataError(`kubeadm does not know apiVersion ${version}`);
  return version;
}

export interface Reading {
  role: Role;
  intent: Intent;
  /** `v1beta3` or `v1beta4`; null without kubeadm documents. */
  apiVersion: string | null;
}

/** Reads the whole user data. Throws `UserDataError` where cloud-init or kubeadm would give up. */
export function readUserData(userData: string): Reading {
  const files = readFiles(decodeUserData(userData));
  const documents = kubeadmDocuments(files);
  const of = (kind: string) => documents.find((document) => document['kind'] === kind);
  const cluster = of('ClusterConfiguration') ?? {};
  const initialise = of('InitConfiguration');
  const join = of('JoinConfiguration');
  if (initialise !== undefined)
    return {
      role: 'first-control',
      intent: intentOf(initialise, cluster, files),
      apiVersion: checkApiVersion(initialise),
    };
  if (join !== undefined) {
    const role = isObject(join['controlPlane']) ? 'control' : 'worker';
    return { role, intent: intentOf(join, cluster, files), apiVersion: checkApiVersion(join) };
  }
  const etcd = files.some((file) => /etcd[^/]*\.service$|\/etcd\.(ya?ml|conf|env)$|^\/etc\/etcd/.test(file.path));
  return { role: etcd ? 'etcd' : 'plain', intent: emptyIntent(files), apiVersion: null };
}

/** The port of an endpoint `host:port`, 6443 when it names none. */
export function splitEndpoint(endpoint: string): { host: string; port: number } {
  const at = endpoint.lastIndexOf(':');
  if (at < 0) return { host: endpoint, port: 6443 };
  return { host: endpoint.slice(0, at), port: numberAt(endpoint.slice(at + 1)) ?? 6443 };
}
