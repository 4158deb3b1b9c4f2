import type { CallContext } from '@/infrastructure/cloud';
import type { Api } from './api';
import type { Parameters } from './signature';

export type ResourceType = 'UserVm' | 'Network' | 'PublicIpAddress';

export interface TaggedResource {
  readonly type: ResourceType;
  readonly id: string;
  readonly tags: readonly { key: string; value: string }[];
}

/** Adds what is missing. A key that is there already fails the job (530), so the object's own list is looked at first. */
export async function ensureTags(
  api: Api,
  call: CallContext,
  resource: TaggedResource,
  wanted: Readonly<Record<string, string>>,
): Promise<void> {
  const has = new Map(resource.tags.map((tag) => [tag.key, tag.value]));
  const missing = Object.entries(wanted).filter(([key, value]) => has.get(key) !== value);
  if (missing.length === 0) return;
  const named = { resourcetype: resource.type, resourceids: resource.id };
  const stale = missing.filter(([key]) => has.has(key));
  if (stale.length > 0) await api.job(call, 'deleteTags', { ...named, ...tagParameters(stale.map(([key]) => [key, has.get(key) ?? ''])) });
  await api.job(call, 'createTags', { ...named, ...tagParameters(missing) });
}

export function tagParameters(tags: readonly (readonly string[])[]): Parameters {
  return Object.fromEntries(tags.flatMap(([key, value], index) => [
    [`tags[${index}].key`, key ?? ''],
    [`tags[${index}].value`, value ?? ''],
  ]));
}
