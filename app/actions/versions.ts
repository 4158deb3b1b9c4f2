'use server';
import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { addVersion, changeMinimums, deleteVersion, setVersionEnabled } from '@/db/versions';
import { accepted, refused } from '@/domain/result';
import { newVersion, newVersionIssues, versionMinimums } from '@/domain/version-rules';
import { runtime } from '@/runtime';
import { type ActionResult, adminAction } from './admin-action';
import { presentCatalogue } from './present-catalogue';

const page = '/settings/versions';
const versionId = z.uuid('This is no version.');

/** From a ready ISO of the cloud that names it. Refuses as invalid at the field, and as cloud where the cloud does not answer. */
export async function addKubernetesVersion(input: unknown): Promise<ActionResult<{ version: string }>> {
  return add(input);
}
const add = adminAction('admin', newVersion, async ({ actor, input }) => {
  const offered = await presentCatalogue('kept');
  if (!offered.ok) return offered;
  const issues = newVersionIssues(input, offered.value);
  if (issues.length > 0) {
    const message = issues.length === 1 ? 'One field needs a change.' : 'Some fields need a change.';
    return refused({ code: 'invalid', message, issues });
  }
  const isoName = offered.value.isos.find((iso) => iso.id === input.isoId)?.name ?? input.isoId;
  return changed(await addVersion(runtime().db, { actor, ...input, isoName }));
});

export async function setKubernetesVersionEnabled(input: unknown): Promise<ActionResult<{ version: string }>> {
  return enable(input);
}
const enable = adminAction('admin', z.object({ versionId, enabled: z.boolean() }), async ({ actor, input }) =>
  changed(await setVersionEnabled(runtime().db, { actor, ...input })),
);

const minimumsChange = z.object({ versionId, asRead: versionMinimums, wanted: versionMinimums });
export async function changeKubernetesVersionMinimums(input: unknown): Promise<ActionResult<{ version: string }>> {
  return minimums(input);
}
const minimums = adminAction('admin', minimumsChange, async ({ actor, input }) =>
  changed(await changeMinimums(runtime().db, { actor, ...input })),
);

/** Refused while a cluster names it. */
export async function deleteKubernetesVersion(input: unknown): Promise<ActionResult<{ version: string }>> {
  return remove(input);
}
const remove = adminAction('admin', z.object({ versionId }), async ({ actor, input }) =>
  changed(await deleteVersion(runtime().db, { actor, ...input })),
);

/** Reads anew what the cloud offers: an ISO that was registered a moment ago is there then. */
export async function readCloudAgain(input: unknown): Promise<ActionResult<{ isoCount: number }>> {
  return readAgain(input);
}
const readAgain = adminAction('admin', z.object({}), async () => {
  const offered = await presentCatalogue('new');
  revalidatePath(page);
  return offered.ok ? accepted({ isoCount: offered.value.isos.length }) : offered;
});

/** The page shows what is now true, changed or not. */
function changed<T>(result: T): T {
  revalidatePath(page);
  return result;
}
