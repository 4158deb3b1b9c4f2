import { answerRead } from '@/app/api/v1/answer';
import { readerOf } from '@/app/reader';
import { fleetSummary } from '@/db/queries/summary';
import { accepted } from '@/domain/result';
import { env } from '@/env';
import { runtime } from '@/runtime';

export function GET(): Promise<Response> {
  return answerRead('viewer', async (actor) =>
    accepted(await fleetSummary(runtime().db, readerOf(actor), env().HOLDFAST_CRON_PERIOD_MS)),
  );
}
