import { z } from 'zod';
import { type CatalogueKind, readCatalogue, seedVersions, storeCatalogue } from '@/db/catalogue';
import type { Iso, NetworkOffering, Offering, Template, Zone } from '@/domain/cloud-catalogue';
import { oldestVersion, versionNamedIn } from '@/domain/version-rules';
import { compareVersions } from '@/domain/versions';
import type { CallContext } from '@/infrastructure/cloud';
import type { WorkerContext } from './context';

export interface Catalogue {
  readonly zones: readonly Zone[];
  readonly offerings: readonly Offering[];
  readonly templates: readonly Template[];
  readonly isos: readonly Iso[];
  readonly networkOfferings: readonly NetworkOffering[];
  readonly sshKeyPairs: readonly string[];
}

/** A catalogue older than this is read again before it decides anything. */
const freshForMs = 60_000;

/** A read that belongs to no job. */
export function looseCall(signal: AbortSignal, what: string): CallContext {
  return { signal, operation: `-/-/${what}`, authorize: () => Promise.resolve() };
}

/** Reads everything the cloud offers and keeps it. Throws `CloudError` when the cloud does not answer. */
export async function refreshCatalogue(
  worker: Pick<WorkerContext, 'db' | 'cloud'>,
  signal: AbortSignal,
): Promise<Catalogue> {
  const call = looseCall(signal, 'catalogue');
  const { cloud, db } = worker;
  const [zones, offerings, templates, isos, networkOfferings, networks, sshKeyPairs] = await Promise.all([
    cloud.listZones(call),
    cloud.listOfferings(call),
    cloud.listTemplates(call),
    cloud.listIsos(call),
    cloud.listNetworkOfferings(call),
    cloud.listNetworks(call, {}),
    cloud.listSshKeyPairs(call),
  ]);
  const all: Record<CatalogueKind, readonly unknown[]> = {
    zones,
    offerings,
    templates,
    isos,
    networkOfferings,
    networks,
    sshKeyPairs,
  };
  for (const [kind, data] of Object.entries(all)) await storeCatalogue(db, kind as CatalogueKind, data);
  await seedVersions(
    db,
    isos
      .filter((iso) => iso.ready)
      .flatMap((iso) => {
        const version = versionNamedIn(iso.name);
        return version === null || compareVersions(version, oldestVersion) < 0
          ? []
          : [{ version, isoId: iso.id, isoName: iso.name, zoneId: iso.zoneId }];
      }),
  );
  return { zones, offerings, templates, isos, networkOfferings, sshKeyPairs };
}

const stored = z.array(z.unknown());

/** The kept catalogue while it is fresh, else a new reading. */
export async function catalogue(worker: Pick<WorkerContext, 'db' | 'cloud'>, signal: AbortSignal): Promise<Catalogue> {
  const kept = await readCatalogue(worker.db);
  const kinds = ['zones', 'offerings', 'templates', 'isos', 'networkOfferings', 'sshKeyPairs'] as const;
  const fresh = kinds.every((kind) => (kept.get(kind)?.ageMs ?? Number.POSITIVE_INFINITY) < freshForMs);
  if (!fresh) return refreshCatalogue(worker, signal);
  // The rows hold what `refreshCatalogue` stored: this process's own types, as JSON.
  const data = (kind: CatalogueKind) => stored.parse(kept.get(kind)?.data ?? []);
  return {
    zones: data('zones') as readonly Zone[],
    offerings: data('offerings') as readonly Offering[],
    templates: data('templates') as readonly Template[],
    isos: data('isos') as readonly Iso[],
    networkOfferings: data('networkOfferings') as readonly NetworkOffering[],
    sshKeyPairs: data('sshKeyPairs') as readonly string[],
  };
}
