import 'server-only';
import { readerOf } from '@/app/reader';
import type { About } from '@/components/settings/about-panel';
import { installationFacts } from '@/db/queries/installation-facts';
import type { Actor } from '@/domain/actor';
import { settingsRisks } from '@/domain/settings-risks';
import { env } from '@/env';
import { runtime, version } from '@/runtime';

/** What this server runs with: settings without a secret among them, and what is risky about them. */
export async function aboutThisInstallation(actor: Actor): Promise<About> {
  const settings = env();
  const { db, worker } = runtime();
  const askedAt = Date.now();
  const facts = await installationFacts(db, readerOf(actor));
  // Half the way there and back is not skew.
  const heardAt = (askedAt + Date.now()) / 2;
  const inForce = {
    beatMs: settings.HOLDFAST_BEAT_MS,
    leaseMs: settings.HOLDFAST_LEASE_MS,
    cronPeriodMs: settings.HOLDFAST_CRON_PERIOD_MS,
    retentionHours: settings.HOLDFAST_JOB_RETENTION_HOURS,
    cronSecretIsSet: settings.CRON_SECRET !== undefined,
    publicUrl: settings.HOLDFAST_PUBLIC_URL,
    cloudIsSimulated: settings.HOLDFAST_SIMULATED_CLOUD,
  };
  return {
    ...inForce,
    version,
    facts,
    cloudHost: new URL(settings.CLOUDSTACK_API_URL).host,
    autoscalerUrl: worker.settings.autoscalerApiUrl,
    risks: settingsRisks({
      ...inForce,
      clockSkewMs: heardAt - facts.databaseNowMs,
      protocols: facts.fleet.map((each) => each.protocol),
    }),
  };
}
