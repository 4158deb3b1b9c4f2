/** By which member the entries of a list are told apart, where the API merges lists instead of replacing them. */
import { isObject, type Json, type JsonObject } from '@/simulator/core/json';

const keyed: Readonly<Record<string, readonly string[]>> = {
  containers: ['name'],
  initContainers: ['name'],
  ephemeralContainers: ['name'],
  volumes: ['name'],
  env: ['name'],
  imagePullSecrets: ['name'],
  volumeMounts: ['mountPath'],
  volumeDevices: ['devicePath'],
  ports: ['containerPort', 'port'],
  conditions: ['type'],
  addresses: ['type'],
  taints: ['key'],
  ownerReferences: ['uid'],
  hostAliases: ['ip'],
  topologySpreadConstraints: ['topologyKey'],
  volumeClaimTemplates: [],
};

/** The merge key of this field, judged by what its entries have; null for lists that are replaced as a whole. */
export function mergeKeyOf(field: string, entries: readonly Json[]): string | null {
  const candidates = keyed[field];
  if (candidates === undefined || entries.length === 0) return null;
  return candidates.find((key) => entries.every((entry) => isObject(entry) && entry[key] !== undefined)) ?? null;
}

/** As above for server-side apply, where ports are told apart by protocol too. */
export function identityOf(field: string, entry: JsonObject): JsonObject | null {
  const key = mergeKeyOf(field, [entry]);
  if (key === null) return null;
  const identity: JsonObject = { [key]: entry[key] };
  if (field === 'ports') identity['protocol'] = entry['protocol'] ?? 'TCP';
  return identity;
}
