/** Which objects go gently, and when two of them ask for the same. */

import { equal, type JsonObject } from '@/simulator/core/json';
import type { KubeObject } from './objects';
import type { Resource } from './resources';

/** A pod's kubelet, and a namespace's controller, decide when it is really gone. */
export const isGraceful = (resource: Resource): boolean =>
  resource.group === '' && (resource.plural === 'pods' || resource.plural === 'namespaces');

export function sameWish(a: KubeObject, b: KubeObject): boolean {
  const wish = ({ metadata: _metadata, status: _status, ...rest }: JsonObject) => rest;
  return equal(wish(a), wish(b));
}
