/** The templates, ISOs and offerings of the simulated cloud. */
import type { NetworkOffering, Template } from '@/simulator/core/model';

export const offeringSizes = [
  [1, 1],
  [2, 2],
  [2, 4],
  [4, 8],
  [8, 16],
] as const;

export const templates: readonly Partial<Template>[] = [
  { name: 'systemvm-kvm-4.22.0', account: 'admin', system: true, featured: true, forKubernetes: true },
  { name: 'debian-12-kubernetes', account: 'admin', featured: true, forKubernetes: true },
  { name: 'ubuntu-24.04-kubernetes-private', account: 'admin', isPublic: false, forKubernetes: true },
  { name: 'debian-12-plain', account: 'admin', featured: true },
  { name: 'debian-13-kubernetes', account: 'admin', ready: false, forKubernetes: true },
];

interface IsoSeed {
  version: string;
  ready?: boolean;
  hasCsi?: boolean;
  hasEtcd?: boolean;
}

export const isoSeeds: readonly IsoSeed[] = [
  { version: '1.30.6', hasCsi: false },
  { version: '1.30.8' },
  { version: '1.31.1' },
  { version: '1.31.4' },
  { version: '1.32.0' },
  { version: '1.32.3', hasEtcd: false },
  { version: '1.33.0' },
  { version: '1.33.1' },
  { version: '1.33.2', ready: false },
];

const isolatedServices = [
  'Dhcp',
  'Dns',
  'Firewall',
  'Lb',
  'PortForwarding',
  'SourceNat',
  'StaticNat',
  'UserData',
  'Vpn',
];

export const networkOfferings: readonly Omit<NetworkOffering, 'id'>[] = [
  {
    name: 'DefaultIsolatedNetworkOfferingWithSourceNatService',
    guestType: 'Isolated',
    egressAllowed: false,
    forVpc: false,
    services: isolatedServices,
  },
  {
    name: 'IsolatedNetworkOfferingWithEgressAllowed',
    guestType: 'Isolated',
    egressAllowed: true,
    forVpc: false,
    services: isolatedServices,
  },
  {
    name: 'DefaultSharedNetworkOffering',
    guestType: 'Shared',
    egressAllowed: true,
    forVpc: false,
    services: ['Dhcp', 'Dns', 'UserData'],
  },
  {
    name: 'DefaultIsolatedNetworkOfferingForVpcNetworks',
    guestType: 'Isolated',
    egressAllowed: true,
    forVpc: true,
    services: isolatedServices,
  },
];
