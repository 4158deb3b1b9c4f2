import type { Catalogue } from './world';

const id = (kind: number, number: number) => `cafe000${kind}-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** Ids that tests refer to. */
export const memoryIds = {
  zone: id(1, 1),
  smallOffering: id(2, 1),
  largeOffering: id(2, 2),
  customOffering: id(2, 3),
  template: id(3, 1),
  privateTemplate: id(3, 2),
  plainTemplate: id(3, 3),
  isolatedOffering: id(5, 1),
  openOffering: id(5, 2),
  sharedOffering: id(5, 3),
} as const;

const versions = ['1.30.8', '1.31.4', '1.32.1', '1.33.0'] as const;

/** The ISO of a Kubernetes version in the default catalogue. */
export function memoryIsoId(version: (typeof versions)[number]): string {
  return id(4, versions.indexOf(version) + 1);
}

const services = ['Dhcp', 'Dns', 'UserData', 'SourceNat', 'Firewall', 'Lb', 'PortForwarding'];

/** A cloud with a zone and one of everything that clusters ask for. Fresh with each call; tests may change theirs. */
export function defaultCatalogue(): Catalogue {
  const zoneId = memoryIds.zone;
  const template = { ready: true, zoneId, forKubernetes: true, isPublic: true };
  const isolated = { enabled: true, guestType: 'Isolated', forVpc: false, services };
  return {
    zones: [{ id: zoneId, name: 'zone-1', enabled: true }],
    offerings: [
      { id: memoryIds.smallOffering, name: 'small 2x4', cpuCount: 2, cpuSpeedMhz: 2000, memoryMb: 4096, custom: false },
      { id: memoryIds.largeOffering, name: 'large 4x8', cpuCount: 4, cpuSpeedMhz: 2000, memoryMb: 8192, custom: false },
      { id: memoryIds.customOffering, name: 'custom', cpuCount: 0, cpuSpeedMhz: 0, memoryMb: 0, custom: true },
    ],
    templates: [
      { ...template, id: memoryIds.template, name: 'kubernetes-node' },
      { ...template, id: memoryIds.privateTemplate, name: 'kubernetes-node-private', isPublic: false },
      { ...template, id: memoryIds.plainTemplate, name: 'debian', forKubernetes: false },
    ],
    isos: versions.map((version) => ({
      id: memoryIsoId(version),
      name: `v${version}-Kubernetes-Binaries-ISO`,
      ready: true,
      zoneId: null,
      version,
    })),
    networkOfferings: [
      { ...isolated, id: memoryIds.isolatedOffering, name: 'isolated, egress denied', egressAllowed: false },
      { ...isolated, id: memoryIds.openOffering, name: 'isolated, egress allowed', egressAllowed: true },
      { ...isolated, id: memoryIds.sharedOffering, name: 'shared', guestType: 'Shared', egressAllowed: true },
    ],
    sshKeyPairs: ['operator'],
  };
}
