import { clusterInNetwork, versionById } from '@/db/catalogue';
import { nameIsTaken } from '@/db/clusters';
import type { Offering } from '@/domain/cloud-catalogue';
import type { FieldIssue } from '@/domain/refusals';
import type { CreateInput } from '@/domain/requests';
import { limits } from '@/domain/requests';
import { CloudError } from '@/infrastructure/cloud';
import { type Catalogue, catalogue, looseCall } from './catalogue';
import type { WorkerContext } from './context';

/** All that needs the cloud is asked before acceptance and may take this long in all (design section 5). */
const checkMs = 5_000;

export type CreateCheck =
  | { readonly kind: 'fine'; readonly zoneName: string }
  | { readonly kind: 'invalid'; readonly issues: readonly FieldIssue[] }
  /** The cloud refused, or did not answer in time. */
  | { readonly kind: 'cloud'; readonly message: string };

/** The rows of cluster-semantics 2.1 that need the database or the cloud. Changes nothing; may be called as often as wished. */
export async function checkCreate(
  worker: Pick<WorkerContext, 'db' | 'cloud'>,
  input: CreateInput,
): Promise<CreateCheck> {
  const signal = AbortSignal.timeout(checkMs);
  try {
    const offered = await catalogue(worker, signal);
    const issues = [
      ...(await nameIssues(worker, input)),
      ...(await versionIssues(worker, input, offered)),
      ...zoneIssues(input, offered),
      ...offeringIssues(input, offered),
      ...(await networkIssues(worker, input, offered)),
      ...(await headroomIssues(worker, input, offered, signal)),
    ];
    if (issues.length > 0) return { kind: 'invalid', issues };
    return { kind: 'fine', zoneName: offered.zones.find((zone) => zone.id === input.zoneId)?.name ?? input.zoneId };
  } catch (error) {
    if (error instanceof CloudError)
      return { kind: 'cloud', message: `The cloud could not be asked: ${error.message} Nothing was changed.` };
    if (signal.aborted)
      return { kind: 'cloud', message: `The cloud did not answer within ${checkMs / 1000} s. Nothing was changed.` };
    throw error;
  }
}

async function nameIssues(worker: Pick<WorkerContext, 'db'>, input: CreateInput): Promise<FieldIssue[]> {
  return (await nameIsTaken(worker.db, input.name))
    ? [{ field: 'name', message: 'A cluster of this name exists.' }]
    : [];
}

async function versionIssues(
  worker: Pick<WorkerContext, 'db'>,
  input: CreateInput,
  offered: Catalogue,
): Promise<FieldIssue[]> {
  const field = 'kubernetesVersionId';
  const version = await versionById(worker.db, input.kubernetesVersionId);
  if (version === undefined) return [{ field, message: 'There is no such version.' }];
  if (!version.enabled) return [{ field, message: `Version ${version.version} is disabled.` }];
  if (version.zoneId !== null && version.zoneId !== input.zoneId) {
    return [{ field, message: `Version ${version.version} is offered in another zone only.` }];
  }
  const iso = offered.isos.find((each) => each.id === version.isoId);
  if (iso === undefined) return [{ field, message: `The binaries ISO of ${version.version} is not in the cloud.` }];
  if (!iso.ready) return [{ field, message: `The binaries ISO of ${version.version} is not ready.` }];
  const roles = [
    ['controlOfferingId', input.controlOfferingId],
    ['workerOfferingId', input.workerOfferingId],
    ...(input.etcdCount > 0 ? [['etcdOfferingId', input.etcdOfferingId ?? ''] as const] : []),
  ] as const;
  return roles.flatMap(([role, id]) => {
    const offering = offered.offerings.find((each) => each.id === id);
    if (offering === undefined) return [];
    if (offering.cpuCount >= version.minCpuCount && offering.memoryMb >= version.minMemoryMb) return [];
    const message = `${version.version} needs ${version.minCpuCount} CPUs and ${version.minMemoryMb} MB; ${offering.name} has less.`;
    return [{ field: role, message }];
  });
}

function zoneIssues(input: CreateInput, offered: Catalogue): FieldIssue[] {
  const issues: FieldIssue[] = [];
  const zone = offered.zones.find((each) => each.id === input.zoneId);
  if (zone === undefined) issues.push({ field: 'zoneId', message: 'There is no such zone.' });
  else if (!zone.enabled) issues.push({ field: 'zoneId', message: `Zone ${zone.name} is disabled.` });
  const template = offered.templates.find((each) => each.id === input.templateId);
  if (template === undefined) issues.push({ field: 'templateId', message: 'There is no such template.' });
  else if (!template.ready) issues.push({ field: 'templateId', message: `Template ${template.name} is not ready.` });
  else if (!template.forKubernetes)
    issues.push({ field: 'templateId', message: `Template ${template.name} is not marked for Kubernetes.` });
  const { sshKeyPair } = input;
  if (sshKeyPair && !offered.sshKeyPairs.includes(sshKeyPair)) {
    issues.push({ field: 'sshKeyPair', message: `There is no key pair ${sshKeyPair}.` });
  }
  return issues;
}

function offeringIssues(input: CreateInput, offered: Catalogue): FieldIssue[] {
  return wantedOfferings(input).flatMap(({ field, id }) => {
    const offering = offered.offerings.find((each) => each.id === id);
    if (offering === undefined) return [{ field, message: 'There is no such offering.' }];
    if (offering.custom) return [{ field, message: `${offering.name} has no fixed size; clusters need one that has.` }];
    if (offering.cpuCount < limits.minOfferingCpuCount || offering.memoryMb < limits.minOfferingMemoryMb) {
      return [
        {
          field,
          message: `${offering.name} is too small: at least ${limits.minOfferingCpuCount} CPUs and ${limits.minOfferingMemoryMb} MB.`,
        },
      ];
    }
    return [];
  });
}

function wantedOfferings(input: CreateInput) {
  return [
    { field: 'controlOfferingId', id: input.controlOfferingId, count: input.controlCount },
    { field: 'workerOfferingId', id: input.workerOfferingId, count: input.workerCount },
    { field: 'etcdOfferingId', id: input.etcdOfferingId ?? '', count: input.etcdCount },
  ].filter((each) => each.count > 0);
}

async function networkIssues(
  worker: Pick<WorkerContext, 'db'>,
  input: CreateInput,
  offered: Catalogue,
): Promise<FieldIssue[]> {
  if (input.networkId) {
    const user = await clusterInNetwork(worker.db, input.networkId);
    return user === undefined ? [] : [{ field: 'networkId', message: `The network is used by cluster ${user.name}.` }];
  }
  const field = 'networkOfferingId';
  if (!input.networkOfferingId) return [{ field, message: 'Choose a network offering, or a network.' }];
  const offering = offered.networkOfferings.find((each) => each.id === input.networkOfferingId);
  if (offering === undefined) return [{ field, message: 'There is no such network offering.' }];
  if (!offering.enabled) return [{ field, message: `${offering.name} is disabled.` }];
  if (offering.guestType !== 'Isolated' || offering.forVpc)
    return [{ field, message: `${offering.name} does not make isolated networks.` }];
  const missing = ['SourceNat', 'Lb', 'Firewall', 'UserData', 'Dhcp'].filter(
    (service) => !offering.services.includes(service),
  );
  return missing.length === 0 ? [] : [{ field, message: `${offering.name} lacks ${missing.join(', ')}.` }];
}

/** Quota, asked live: what the account may still take against what the cluster needs. */
async function headroomIssues(
  worker: Pick<WorkerContext, 'cloud'>,
  input: CreateInput,
  offered: Catalogue,
  signal: AbortSignal,
): Promise<FieldIssue[]> {
  const left = await worker.cloud.headroom(looseCall(signal, 'headroom'));
  const sizes = wantedOfferings(input).flatMap(({ id, count }) => {
    const offering = offered.offerings.find((each) => each.id === id);
    return offering === undefined ? [] : [{ offering, count }];
  });
  const sum = (of: (offering: Offering) => number) =>
    sizes.reduce((total, { offering, count }) => total + of(offering) * count, 0);
  const needs = [
    { what: 'machines', need: sum(() => 1), left: left.machines },
    { what: 'CPUs', need: sum((offering) => offering.cpuCount), left: left.cpus },
    { what: 'MB of memory', need: sum((offering) => offering.memoryMb), left: left.memoryMb },
    { what: 'public addresses', need: 1, left: left.addresses },
    { what: 'networks', need: input.networkId ? 0 : 1, left: left.networks },
  ];
  return needs
    .filter((each) => each.left !== null && each.need > each.left)
    .map((each) => ({
      field: 'workerCount',
      message: `Needs ${each.need} ${each.what}; the account may take ${each.left} more.`,
    }));
}
