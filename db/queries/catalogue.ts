/** What can be chosen in the forms: the catalogue as last read from the cloud, each option with the reason why it is off. */
import type { CatalogueKind } from '@/db/catalogue';
import { readCatalogue } from '@/db/catalogue';
import type { Queryable } from '@/db/client';
import type { Network, NetworkOffering, Offering, Template, Zone } from '@/domain/cloud-catalogue';
import { limits } from '@/domain/requests';
import { type VersionOption, versionOptions } from './versions';

export interface Option {
  readonly id: string;
  readonly name: string;
  /** Why it cannot be chosen; null: it can. */
  readonly off: string | null;
  /** Null: every zone. */
  readonly zoneId: string | null;
}

export interface OfferingOption extends Option {
  readonly cpuCount: number;
  readonly memoryMb: number;
}

export interface FormOptions {
  readonly zones: readonly Option[];
  readonly versions: readonly VersionOption[];
  readonly offerings: readonly OfferingOption[];
  readonly templates: readonly Option[];
  readonly networkOfferings: readonly Option[];
  readonly networks: readonly Option[];
  readonly sshKeyPairs: readonly string[];
  /** How old the oldest of it is; null: the cloud was never read. */
  readonly ageMs: number | null;
}

export async function formOptions(db: Queryable): Promise<FormOptions> {
  const [kept, versions] = await Promise.all([readCatalogue(db), versionOptions(db)]);
  // The rows hold what the reader of the catalogue stored: this product's own types, as JSON.
  const all = <T>(kind: CatalogueKind) => (kept.get(kind)?.data ?? []) as readonly T[];
  const ages = [...kept.values()].map((row) => row.ageMs);
  return {
    zones: all<Zone>('zones').map(({ id, name, enabled }) => ({
      id,
      name,
      zoneId: null,
      off: enabled ? null : 'disabled',
    })),
    versions,
    offerings: all<Offering>('offerings')
      .filter((offering) => !offering.custom)
      .map((offering) => ({ ...offering, zoneId: null, off: offeringReason(offering) }))
      .map(({ id, name, zoneId, off, cpuCount, memoryMb }) => ({ id, name, zoneId, off, cpuCount, memoryMb })),
    templates: all<Template>('templates').map((template) => ({
      id: template.id,
      name: template.name,
      zoneId: template.zoneId,
      off: template.forKubernetes ? (template.ready ? null : 'not ready') : 'not marked for Kubernetes',
    })),
    networkOfferings: all<NetworkOffering>('networkOfferings').map((offering) => ({
      id: offering.id,
      name: offering.name,
      zoneId: null,
      off: networkOfferingReason(offering),
    })),
    networks: all<Network>('networks').map(({ id, name, zoneId, cidr }) => ({
      id,
      name: cidr === null ? name : `${name} (${cidr})`,
      zoneId,
      off: null,
    })),
    sshKeyPairs: all<string>('sshKeyPairs'),
    ageMs: ages.length === 0 ? null : Math.max(...ages),
  };
}

function offeringReason(offering: Offering): string | null {
  const isBigEnough =
    offering.cpuCount >= limits.minOfferingCpuCount && offering.memoryMb >= limits.minOfferingMemoryMb;
  return isBigEnough
    ? null
    : `too small: at least ${limits.minOfferingCpuCount} CPUs and ${limits.minOfferingMemoryMb / 1024} GB`;
}

function networkOfferingReason(offering: NetworkOffering): string | null {
  if (!offering.enabled) return 'disabled';
  if (offering.guestType !== 'Isolated' || offering.forVpc) return 'does not make isolated networks';
  return null;
}
