import { answerRead } from '@/app/api/v1/answer';
import { readerOf } from '@/app/reader';
import { legacyGateCard } from '@/db/queries/legacy-gate';
import { passStrip } from '@/db/queries/recovery';
import { recoveryHealth } from '@/db/queries/recovery-health';
import { accepted } from '@/domain/result';
import { env } from '@/env';
import { runtime } from '@/runtime';

/** How the recoverer is doing: its last passes, whether it is late and why, and what older servers' jobs hold back. */
export function GET(): Promise<Response> {
  return answerRead('viewer', async (actor) => {
    const reader = readerOf(actor);
    const { db } = runtime();
    const [health, strip, gate] = await Promise.all([
      recoveryHealth(db, reader, env().CRON_SECRET !== undefined),
      passStrip(db, reader),
      legacyGateCard(db, reader),
    ]);
    return accepted({ health, strip, gate });
  });
}
