import { z } from 'zod';
import type { CallContext } from '@/infrastructure/cloud';
import type { Parameters } from '@/infrastructure/signature';
import type { Api } from './api';
import { reach } from './reach';

type Tags = readonly { key: string; value: string }[];

export interface TaggedResource {
  readonly type: 'UserVm' | 'Network' | 'PublicIpAddress';
  readonly id: string;
  /** As its own list said a moment ago. */
  readonly tags: Tags;
}

const tagShape = z.object({ key: z.string(), value: z.string() });
const done = true;

/**
 * Adds what is missing. A key that is there already fails the job (530), also when somebody else set it since: then the tags are
 * looked at again before the failure is believed.
 */
export async function ensureTags(
  api: Api,
  call: CallContext,
  resource: TaggedResource,
  wanted: Readonly<Record<string, string>>,
): Promise<void> {
  let present = resource.tags;
  let looked = false;
  await reach(call, {
    command: 'createTags',
    look: async () => {
      if (looked) present = await listTags(api, call, resource);
      looked = true;
      return missingFrom(present, wanted).length === 0 ? done : null;
    },
    act: async () => {
      const missing = missingFrom(present, wanted);
      const named = { resourcetype: resource.type, resourceids: resource.id };
      const stale = present
        .filter((tag) => missing.some(([key]) => key === tag.key))
        .map((tag) => [tag.key, tag.value]);
      if (stale.length > 0) await api.job(call, 'deleteTags', { ...named, ...tagParameters(stale) });
      await api.job(call, 'createTags', { ...named, ...tagParameters(missing) });
    },
  });
}

function missingFrom(present: Tags, wanted: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(wanted).filter(
    ([key, value]) => !present.some((tag) => tag.key === key && tag.value === value),
  );
}

function listTags(api: Api, call: CallContext, resource: TaggedResource): Promise<Tags> {
  const parameters = { resourcetype: resource.type, resourceid: resource.id, listall: 'true' };
  return api.listOrNone(call, 'listTags', parameters, 'tag', tagShape);
}

export function tagParameters(tags: readonly (readonly string[])[]): Parameters {
  return Object.fromEntries(
    tags.flatMap(([key, value], index) => [
      [`tags[${index}].key`, key ?? ''],
      [`tags[${index}].value`, value ?? ''],
    ]),
  );
}
