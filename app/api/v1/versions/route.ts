import { answerRead } from '@/app/api/v1/answer';
import { readerOf } from '@/app/reader';
import { versionList } from '@/db/queries/version-list';
import { accepted } from '@/domain/result';
import { runtime } from '@/runtime';

/** The Kubernetes versions, newest first, with the readiness of their ISOs and how many clusters use them. */
export function GET(): Promise<Response> {
  return answerRead('viewer', async (actor) => {
    const { versions, isosAgeMs } = await versionList(runtime().db, readerOf(actor));
    return accepted({ versions, isosAgeMs });
  });
}
