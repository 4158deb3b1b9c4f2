/** Patches of every kind, as requests bring them. */

import { copy, isObject, type JsonObject, textAt } from '@/simulator/core/json';
import { readPatch } from './bodies';
import { type KubeObject, part } from './objects';
import { jsonPatch, mergePatch, strategicPatch } from './patch';
import type { ApiRequest, Target } from './request';
import type { Resource } from './resources';
import { StatusError } from './status';
import { tableOf, wantsTable } from './tables';

/** Who is written down as a field's manager. */
export function managerOf(request: ApiRequest): string {
  return request.query.get('fieldManager') ?? request.userAgent.split('/')[0] ?? 'unknown';
}

export function shown(request: ApiRequest, target: Target, object: KubeObject): JsonObject {
  return wantsTable(request.accept)
    ? tableOf(target.resource, [object], textAt(object, 'metadata', 'resourceVersion') ?? '')
    : object;
}

/** `stringData` is written into `data` before ownership is looked at, as the server's own conversion does. */
export function normaliseApplied(target: Target, applied: JsonObject): JsonObject {
  const object = copy(applied);
  if (target.resource.kind === 'Secret' && isObject(object['stringData'])) {
    const data = part(object, 'data');
    for (const [key, value] of Object.entries(object['stringData']))
      data[key] = Buffer.from(String(value)).toString('base64');
    delete object['stringData'];
  }
  return object;
}

/** The object after a patch of one of the other three kinds. */
export function patched(request: ApiRequest, resource: Resource, before: KubeObject): KubeObject {
  const patch = readPatch(request);
  const type = request.contentType.split(';')[0]?.trim();
  let after: unknown;
  if (type === 'application/json-patch+json') after = jsonPatch(before, patch);
  else if (type === 'application/merge-patch+json') after = mergePatch(before, patch);
  else if (type === 'application/strategic-merge-patch+json' && !resource.custom) after = strategicPatch(before, patch);
  else
    throw new StatusError(
      415,
      `the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml${resource.custom ? '' : ', application/strategic-merge-patch+json'}`,
    );
  if (!isObject(after)) throw new StatusError(400, 'the patch does not yield an object');
  return after;
}
