import 'server-only';
import type { Queryable } from '@/db/client';
import { readSecret } from '@/db/facts';
import type { Actor } from '@/domain/actor';
import { autoscalerActor, autoscalerKeyPair, clusterIdOfKey } from '@/domain/autoscaler';
import { type Parameters, parseExpiry, sign } from '@/infrastructure/signature';
import { sameSecret } from './tokens';

export interface AutoscalerCaller {
  /** The only cluster that this caller may see and scale. */
  readonly clusterId: string;
  readonly actor: Actor;
}

/** Opens what `cluster_secrets` keeps. */
interface Opener {
  open(sealed: Buffer): string;
}

/**
 * The autoscaler behind a request that is signed as CloudStack wants it (cloud.md A.2): plain, or version 3 with an expiry ahead. Null
 * whatever is wrong: an unknown key, a signature that does not fit, an expiry that has passed. The caller is never told which.
 */
export async function autoscalerCaller(
  { db, sealer }: { db: Queryable; sealer: Opener },
  parameters: Parameters,
  now: Date,
): Promise<AutoscalerCaller | null> {
  const apiKey = namedIn(parameters, 'apikey');
  const signature = namedIn(parameters, 'signature');
  if (apiKey === undefined || signature === undefined || isOver(parameters, now)) return null;
  const clusterId = clusterIdOfKey(apiKey);
  const sealed = clusterId === null ? null : await readSecret(db, clusterId, 'autoscaler-key');
  if (clusterId === null || sealed === null) return null;
  const keyPair = autoscalerKeyPair.parse(JSON.parse(sealer.open(sealed)));
  if (keyPair.apiKey !== apiKey) return null;
  const signed = Object.fromEntries(Object.entries(parameters).filter(([name]) => name.toLowerCase() !== 'signature'));
  if (!sameSecret(sign(signed, keyPair.secretKey), signature)) return null;
  return { clusterId, actor: autoscalerActor(clusterId) };
}

/** Names of parameters are case-insensitive for what they mean; the signature is over them as sent. */
export function namedIn(parameters: Parameters, name: string): string | undefined {
  return Object.entries(parameters).find(([sent]) => sent.toLowerCase() === name)?.[1];
}

/** Version 3 is good only until its `expires`; without version 3 that parameter means nothing. */
function isOver(parameters: Parameters, now: Date): boolean {
  if (namedIn(parameters, 'signatureversion') !== '3') return false;
  const expires = parseExpiry(namedIn(parameters, 'expires') ?? '');
  return expires === null || expires <= now;
}
