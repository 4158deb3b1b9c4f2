/** What a Kubernetes version must be before clusters are offered it (cluster-semantics 2.10); forms, server and API share it. */
import { z } from 'zod';
import type { Iso, Zone } from './cloud-catalogue';
import type { FieldIssue } from './refusals';
import { limits } from './requests';
import { compareVersions } from './versions';

/** Older ones cannot be set up the way Holdfast does it. */
export const oldestVersion = '1.11.0';
const maxCpuCount = 512;
const maxMemoryMb = 4 * 1024 * 1024;

/** `1.31.4`; a leading `v` is taken off. Digits only: a label such as `-rc.1` cannot be compared with what kubelets say. */
export const versionText = z
  .string({ error: 'Give the version.' })
  .trim()
  .max(40, 'At most 40 characters.')
  .transform((text) => text.replace(/^v/i, ''))
  .refine((text) => /^(0|[1-9]\d{0,4})(\.(0|[1-9]\d{0,4})){2}$/.test(text), {
    error: 'Three numbers with dots, such as 1.31.4.',
    abort: true,
  })
  .refine((text) => compareVersions(text, oldestVersion) >= 0, `At least ${oldestVersion}.`);

const minimum = (what: string, min: number, max: number) =>
  z.coerce
    .number({ error: `${what}: a whole number.` })
    .int(`${what}: a whole number.`)
    .min(min, `${what}: at least ${min}.`)
    .max(max, `${what}: at most ${max}.`);
const id = z.string().min(1, 'Choose one.').max(255, 'This is no id.');

export const versionMinimums = z.object({
  minCpuCount: minimum('CPUs', limits.minOfferingCpuCount, maxCpuCount),
  minMemoryMb: minimum('Memory', limits.minOfferingMemoryMb, maxMemoryMb),
});

export const newVersion = versionMinimums.extend({
  isoId: id,
  version: versionText,
  /** Null: offered in every zone. */
  zoneId: id.nullable(),
});
export type NewVersion = z.infer<typeof newVersion>;

/** The version that an ISO's name tells, `v1.31.4-Kubernetes-Binaries-ISO` and what admins make of it; null: it tells none. */
export function versionNamedIn(isoName: string): string | null {
  return /(?<![\d.])v?(\d+\.\d+\.\d+)(?![\d.]*\d)/.exec(isoName)?.[1] ?? null;
}

/** Why this ISO, version and zone do not go together; none: they do. Against what the cloud offers. */
export function newVersionIssues(
  wanted: NewVersion,
  offered: { readonly isos: readonly Iso[]; readonly zones: readonly Zone[] },
): readonly FieldIssue[] {
  const iso = offered.isos.find((each) => each.id === wanted.isoId);
  if (iso === undefined) return [{ field: 'isoId', message: 'The cloud has no such ISO any more.' }];
  if (!iso.ready) return [{ field: 'isoId', message: `${iso.name} is not ready in the cloud yet.` }];
  const issues: FieldIssue[] = [];
  if (!namesVersion(iso.name, wanted.version)) {
    issues.push({
      field: 'version',
      message: `${iso.name} does not name ${wanted.version}. Nodes would come up with another version than recorded.`,
    });
  }
  if (iso.zoneId !== null && wanted.zoneId !== iso.zoneId) {
    issues.push({ field: 'zoneId', message: 'This ISO is in one zone only; choose that one.' });
  } else if (wanted.zoneId !== null && !offered.zones.some((zone) => zone.id === wanted.zoneId)) {
    issues.push({ field: 'zoneId', message: 'The cloud has no such zone.' });
  }
  return issues;
}

function namesVersion(isoName: string, version: string): boolean {
  return new RegExp(`(?<![\\d.])${version.replaceAll('.', '\\.')}(?![\\d.]*\\d)`).test(isoName);
}
