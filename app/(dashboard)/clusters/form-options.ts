import 'server-only';
import { type FormOptions, formOptions } from '@/db/queries/catalogue';
import { runtime } from '@/runtime';
import { catalogue } from '@/worker/catalogue';

/** A form rather opens with what was last known than waits longer for the cloud. */
const refreshMs = 3_000;

export async function freshFormOptions(): Promise<FormOptions> {
  const { worker, db } = runtime();
  try {
    await catalogue(worker, AbortSignal.timeout(refreshMs));
  } catch (error) {
    console.warn('the catalogue could not be read again', error instanceof Error ? error.message : error);
  }
  return formOptions(db);
}
