/** What the simulated cloud offers when it starts empty. Ids are fixed, so that a demo's settings survive a reset. */

import { createHash } from 'node:crypto';
import type { Iso } from '@/simulator/core/model';
import type { Records } from '@/simulator/core/records';
import type { Settings } from '@/simulator/settings';
import { isoSeeds, networkOfferings, offeringSizes, templates } from './catalogue-data';

/** The same id for the same thing in every run. */
export function fixedId(name: string): string {
  const hex = createHash('sha256').update(`holdfast-simulator/${name}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const hostCount = 8;

function seedPerZone(records: Records, zoneId: string, zoneName: string): void {
  for (const template of templates) {
    const name = template.name ?? '';
    const id = fixedId(`template/${zoneName}/${name}`);
    records.save('template', {
      id,
      name,
      account: 'admin',
      ready: true,
      isPublic: true,
      featured: false,
      forKubernetes: false,
      system: false,
      dynamicallyScalable: true,
      zoneId,
      permittedAccounts: [],
      ...template,
    });
  }
  for (const seed of isoSeeds) {
    const name = `v${seed.version}-Kubernetes-Binaries-ISO`;
    const iso: Iso = {
      id: fixedId(`iso/${zoneName}/${name}`),
      name,
      ready: seed.ready ?? true,
      zoneId,
      kubernetesVersion: seed.version,
      hasCsi: seed.hasCsi ?? true,
      hasEtcd: seed.hasEtcd ?? true,
    };
    records.save('iso', iso);
  }
  records.save('iso', {
    id: fixedId(`iso/${zoneName}/rescue`),
    name: 'rescue-tools',
    ready: true,
    zoneId,
    kubernetesVersion: null,
    hasCsi: false,
    hasEtcd: false,
  });
  for (let index = 1; index <= hostCount; index += 1) {
    const name = `${zoneName}-host-${index}`;
    records.save('host', {
      id: fixedId(`host/${name}`),
      name,
      zoneId,
      up: true,
      cpuMhz: 128 * 2_000,
      memoryMb: 512 * 1_024,
    });
  }
  const shared = networkOfferings[2];
  if (shared !== undefined) {
    records.save('network', {
      id: fixedId(`network/${zoneName}/shared`),
      name: `${zoneName}-shared`,
      displayText: 'Shared guest network',
      zoneId,
      offeringId: fixedId(`networkoffering/${shared.name}`),
      account: 'admin',
      state: 'Setup',
      cidr: '10.200.1.0/24',
      created: 0,
    });
  }
}

/** Account limits by CloudStack's number for the type; -1 is none. */
export const defaultLimits: Record<string, number> = {
  '0': 400,
  '1': 150,
  '2': 800,
  '4': 40,
  '6': 150,
  '8': 1_600,
  '9': 3_276_800,
  '10': -1,
};

/** macOS binds only 127.0.0.1; there all public addresses are that one and rules differ by port. */
export function publicIp(subnet: string, index: number): string {
  if (process.platform !== 'linux') return '127.0.0.1';
  return `${subnet}.${1 + Math.floor(index / 250)}.${1 + (index % 250)}`;
}

/** Fills empty tables; leaves what a restart brought back alone. */
export function seedCatalogue(records: Records, settings: Settings): void {
  if (records.count('zone') > 0) return;
  for (const [cpuCount, memoryGb] of offeringSizes) {
    const name = `${cpuCount}x${memoryGb}`;
    records.save('offering', {
      id: fixedId(`offering/${name}`),
      name,
      cpuCount,
      cpuSpeedMhz: 2_000,
      memoryMb: memoryGb * 1_024,
      custom: false,
    });
  }
  records.save('offering', {
    id: fixedId('offering/custom'),
    name: 'custom',
    cpuCount: 0,
    cpuSpeedMhz: 0,
    memoryMb: 0,
    custom: true,
  });
  for (const offering of networkOfferings)
    records.save('networkOffering', { id: fixedId(`networkoffering/${offering.name}`), ...offering });
  for (let index = 1; index <= Math.max(1, settings.zones); index += 1) {
    const name = `zone-${index}`;
    const id = fixedId(`zone/${name}`);
    records.save('zone', { id, name, enabled: true });
    seedPerZone(records, id, name);
    for (let address = 0; address < settings.addressCount; address += 1) {
      const ip = publicIp(settings.subnet, (index - 1) * settings.addressCount + address);
      const free = { state: 'Free', networkId: null, account: null, sourceNat: false, allocatedAt: null } as const;
      records.save('address', { id: fixedId(`address/${name}/${address}`), ip, zoneId: id, ...free });
    }
  }
  records.save('setting', { id: 'limits', value: { ...defaultLimits } });
}
