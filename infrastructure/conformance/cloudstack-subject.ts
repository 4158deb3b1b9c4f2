import type { Cloud } from '@/infrastructure/cloud';
import { createCloudStack } from '@/infrastructure/cloudstack/create-cloudstack';
import type { CloudStackOptions } from '@/infrastructure/cloudstack/settings';
import { connectKubernetes } from '@/infrastructure/kube/connect-kubernetes';
import { type ContractFaults, type ContractSubject, call, type Offered } from './subject';

export interface CloudStackSubject {
  readonly options: CloudStackOptions;
  readonly faults: ContractFaults | null;
  readonly pollMs: number;
  readonly bootstrapMs: number;
  readonly stop: () => Promise<void>;
}

/** A subject over CloudStack's API, simulated or real; what it offers is chosen from its lists. */
export async function openCloudStack(subject: CloudStackSubject): Promise<ContractSubject> {
  const cloud = createCloudStack(subject.options);
  const { faults, pollMs, bootstrapMs, stop } = subject;
  return { cloud, connectKubernetes, faults, pollMs, bootstrapMs, stop, offered: await choose(cloud) };
}

const isoName = /(?:^|[^0-9.])v?(1\.\d+\.\d+)/;
const smallestMemoryMb = 2_048;

async function choose(cloud: Cloud): Promise<Offered> {
  const zone = (await cloud.listZones(call())).find((each) => each.enabled);
  const here = (zoneId: string | null) => zoneId === null || zoneId === zone?.id;
  const template = (await cloud.listTemplates(call())).find(
    (each) => each.ready && each.forKubernetes && here(each.zoneId),
  );
  const isos = (await cloud.listIsos(call()))
    .filter((each) => each.ready && here(each.zoneId))
    .flatMap((each) => {
      const version = isoName.exec(each.name)?.[1];
      return version === undefined ? [] : [{ isoId: each.id, version }];
    });
  const [iso] = isos;
  const next = isos.find((each) => minorOf(each.version) === minorOf(iso?.version ?? '') + 1) ?? null;
  const network = (await cloud.listNetworkOfferings(call())).find(
    (each) =>
      each.enabled &&
      each.guestType === 'Isolated' &&
      !each.egressAllowed &&
      !each.forVpc &&
      each.services.includes('Lb'),
  );
  const [offering, larger] = (await cloud.listOfferings(call()))
    .filter((each) => !each.custom && each.cpuCount > 1 && each.memoryMb >= smallestMemoryMb)
    .sort((a, b) => a.cpuCount - b.cpuCount || a.memoryMb - b.memoryMb);
  if (!zone || !template || !iso || !network || !offering || !larger) {
    throw new Error(
      'The cloud lacks an enabled zone, a template and an ISO for Kubernetes, an isolated network offering or two offerings.',
    );
  }
  return {
    zoneId: zone.id,
    networkOfferingId: network.id,
    offeringId: offering.id,
    largerOfferingId: larger.id,
    templateId: template.id,
    ...iso,
    next,
  };
}

function minorOf(version: string): number {
  return Number(version.split('.')[1]);
}
