/** The create form's values as typed, and what they mean. Pure. */
import type { FormOptions, Option } from '@/db/queries/catalogue';
import type { VersionOption } from '@/db/queries/versions';
import { planOperation } from '@/domain/plan';
import type { PlannedStep } from '@/domain/plan-steps';

export interface CreateValues {
  readonly name: string;
  readonly description: string;
  readonly zoneId: string;
  readonly kubernetesVersionId: string;
  readonly controlCount: string;
  readonly workerCount: string;
  readonly etcdCount: string;
  readonly controlOfferingId: string;
  readonly workerOfferingId: string;
  readonly etcdOfferingId: string;
  readonly templateId: string;
  readonly networkKind: 'own' | 'existing';
  readonly networkId: string;
  readonly networkOfferingId: string;
  readonly rootDiskGb: string;
  readonly sshKeyPair: string;
  readonly csiEnabled: boolean;
  readonly protected: boolean;
  readonly startNow: boolean;
  readonly note: string;
}

const free = (option: Option, zoneId: string) =>
  option.off === null && (option.zoneId === null || option.zoneId === zoneId);

export function versionsOf(options: FormOptions, zoneId: string): readonly VersionOption[] {
  return options.versions.filter((version) => version.zoneId === null || version.zoneId === zoneId);
}

export function inZone<T extends Option>(all: readonly T[], zoneId: string): readonly T[] {
  return all.filter((option) => option.zoneId === null || option.zoneId === zoneId);
}

/** The first of everything that can be chosen; the newest version. */
export function firstValues(options: FormOptions): CreateValues {
  const zoneId = options.zones.find((zone) => zone.off === null)?.id ?? '';
  const version = versionsOf(options, zoneId).find((each) => each.enabled);
  const offering = options.offerings.find(
    (each) =>
      each.off === null &&
      (version === undefined || (each.cpuCount >= version.minCpuCount && each.memoryMb >= version.minMemoryMb)),
  );
  const offeringId = offering?.id ?? '';
  return {
    name: '',
    description: '',
    zoneId,
    kubernetesVersionId: version?.id ?? '',
    controlCount: '1',
    workerCount: '2',
    etcdCount: '0',
    controlOfferingId: offeringId,
    workerOfferingId: offeringId,
    etcdOfferingId: offeringId,
    templateId: options.templates.find((template) => free(template, zoneId))?.id ?? '',
    networkKind: 'own',
    networkId: '',
    networkOfferingId: options.networkOfferings.find((each) => each.off === null)?.id ?? '',
    rootDiskGb: '8',
    sshKeyPair: '',
    csiEnabled: false,
    protected: false,
    startNow: true,
    note: '',
  };
}

/** What belongs to a zone is chosen anew when the zone changes. */
export function withZone(values: CreateValues, zoneId: string, options: FormOptions): CreateValues {
  const keeps = (all: readonly Option[], id: string) => all.some((option) => option.id === id && free(option, zoneId));
  const version = versionsOf(options, zoneId).find((each) => each.enabled);
  const hasVersion = versionsOf(options, zoneId).some((each) => each.id === values.kubernetesVersionId);
  return {
    ...values,
    zoneId,
    kubernetesVersionId: hasVersion ? values.kubernetesVersionId : (version?.id ?? ''),
    templateId: keeps(options.templates, values.templateId)
      ? values.templateId
      : (options.templates.find((each) => free(each, zoneId))?.id ?? ''),
    networkId: keeps(options.networks, values.networkId) ? values.networkId : '',
  };
}

/** As `createInput` reads it. */
export function inputOf(values: CreateValues): Record<string, unknown> {
  const { networkKind, networkId, networkOfferingId, etcdOfferingId, sshKeyPair, note, ...rest } = values;
  return {
    ...rest,
    etcdOfferingId: Number(values.etcdCount) > 0 ? etcdOfferingId : null,
    networkId: networkKind === 'existing' ? networkId : null,
    networkOfferingId: networkKind === 'own' ? networkOfferingId : null,
    sshKeyPair: sshKeyPair === '' ? null : sshKeyPair,
    ...(note.trim() === '' ? {} : { note }),
  };
}

/** A count as typed; 0 while it is no number, so that a plan can be shown meanwhile. */
const countOf = (text: string) => (/^\d{1,3}$/.test(text.trim()) ? Number(text) : 0);

export function createPlan(values: CreateValues): readonly PlannedStep[] {
  const counts = {
    control: countOf(values.controlCount),
    worker: countOf(values.workerCount),
    etcd: countOf(values.etcdCount),
  };
  const wanted = { wanted: true, installed: false } as const;
  return planOperation('create', {
    state: 'Starting',
    fromState: 'Created',
    counts,
    nodes: [],
    components: [
      { component: 'dashboard', ...wanted },
      { component: 'cloud-provider', ...wanted },
      ...(values.csiEnabled ? [{ component: 'csi-driver' as const, ...wanted }] : []),
    ],
    network: {
      networkId: null,
      networkOwned: values.networkKind === 'own',
      addressId: null,
      loadBalancerRuleId: null,
      endpoint: null,
    },
    hasAccess: false,
    wanted: {},
  });
}

/** "5 machines · 14 CPUs · 28 GB". */
export function sizeText(values: CreateValues, options: FormOptions): string {
  const parts = [
    [values.controlCount, values.controlOfferingId],
    [values.workerCount, values.workerOfferingId],
    [values.etcdCount, values.etcdOfferingId],
  ] as const;
  let [machines, cpus, memoryMb] = [0, 0, 0];
  for (const [text, offeringId] of parts) {
    const count = countOf(text);
    const offering = options.offerings.find((each) => each.id === offeringId);
    machines += count;
    cpus += count * (offering?.cpuCount ?? 0);
    memoryMb += count * (offering?.memoryMb ?? 0);
  }
  return `${machines} ${machines === 1 ? 'machine' : 'machines'} · ${cpus} CPUs · ${memoryMb / 1024} GB of memory`;
}
