/** The key pair with which one cluster's autoscaler calls back, and what it may ask for: workers within the bounds, nothing else. */
import { z } from 'zod';
import type { Actor } from './actor';

/** As it is kept, sealed, under the secret kind `autoscaler-key`. */
export const autoscalerKeyPair = z.object({ apiKey: z.string(), secretKey: z.string().min(32) });

const keyPrefix = 'hfa-';
const clusterOfKey = z.uuid();

/** An autoscaler's API key names its cluster. */
export function autoscalerApiKey(clusterId: string): string {
  return `${keyPrefix}${clusterId}`;
}

/** The cluster that an API key names; null: it is no autoscaler's key. */
export function clusterIdOfKey(apiKey: string): string | null {
  if (!apiKey.startsWith(keyPrefix)) return null;
  return clusterOfKey.safeParse(apiKey.slice(keyPrefix.length)).data ?? null;
}

export function autoscalerActor(clusterId: string): Actor {
  return { kind: 'autoscaler', id: autoscalerApiKey(clusterId), name: 'autoscaler' };
}

export interface AutoscaleBounds {
  readonly enabled: boolean;
  readonly workerCount: number;
  readonly minSize: number | null;
  readonly maxSize: number | null;
}

/**
 * Why an autoscaler may not bring a cluster to this many workers; null: it may. A step from above the maximum towards it is allowed:
 * the bounds were changed, and the autoscaler takes nodes away a few at a time.
 */
export function autoscaleIssue(present: AutoscaleBounds, wanted: number): string | null {
  const { enabled, workerCount, minSize, maxSize } = present;
  if (!enabled || minSize === null || maxSize === null) return 'Autoscaling is off.';
  if (wanted < minSize) return `${wanted} workers are fewer than the minimum of ${minSize}.`;
  if (wanted > maxSize && wanted >= workerCount) return `${wanted} workers are more than the maximum of ${maxSize}.`;
  return null;
}
