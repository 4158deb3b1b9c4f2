/** The made-up fleet of `seed-demo.ts`: each state, held and orphaned clusters, long names, mixed versions. */
import type { AttentionCode } from '@/domain/attention';
import type { NetworkOffering, Offering, Template, Zone } from '@/domain/cloud-catalogue';
import type { OperationKind } from '@/domain/operations';
import type { ClusterState } from '@/domain/states';

export interface DemoCluster {
  readonly name: string;
  readonly state: ClusterState;
  readonly sinceSeconds: number;
  readonly version: string;
  readonly zone: 'Frankfurt' | 'Zurich';
  readonly workers: number;
  readonly control?: number;
  readonly description?: string;
  readonly createdBy?: string;
  readonly protected?: boolean;
  readonly external?: boolean;
  readonly autoscale?: readonly [number, number];
  readonly mixedVersion?: string;
  readonly attention?: { readonly code: AttentionCode; readonly text: string };
  readonly missing?: readonly string[];
  readonly operation?: {
    readonly kind: OperationKind;
    readonly by: string;
    readonly server: 'up' | 'silent' | 'gone';
    readonly step: string;
    readonly steps: readonly [number, number];
    readonly note?: string;
  };
}

export const demoClusters: readonly DemoCluster[] = [
  {
    name: 'prod-1',
    state: 'Upgrading',
    sinceSeconds: 192,
    version: '1.31.4',
    mixedVersion: '1.31.6',
    zone: 'Frankfurt',
    workers: 5,
    control: 3,
    protected: true,
    description: 'Customer-facing services.',
    operation: {
      kind: 'upgrade',
      by: 'Ben',
      server: 'up',
      step: 'Upgrade worker-2',
      steps: [3, 9],
      note: 'CVE-2026-1188, announced for tonight',
    },
  },
  {
    name: 'prod-2',
    state: 'Running',
    sinceSeconds: 86_400 * 3,
    version: '1.31.6',
    zone: 'Zurich',
    workers: 4,
    control: 3,
    protected: true,
    autoscale: [3, 8],
  },
  {
    name: 'payments',
    state: 'Alert',
    sinceSeconds: 5400,
    version: '1.31.4',
    zone: 'Frankfurt',
    workers: 3,
    createdBy: 'Ben',
    attention: { code: 'orphan-recovered', text: 'Its scale lost its server server-4 and was recovered by pass 812.' },
    missing: ['worker-2: machine stopped', 'worker-3: not Ready for 4 min'],
  },
  {
    name: 'staging',
    state: 'Starting',
    sinceSeconds: 74,
    version: '1.32.1',
    zone: 'Frankfurt',
    workers: 3,
    createdBy: 'Ben',
    operation: { kind: 'create', by: 'Ben', server: 'up', step: 'Build worker-2', steps: [9, 18] },
  },
  {
    name: 'analytics-batch-with-a-rather-long-name',
    state: 'Scaling',
    sinceSeconds: 610,
    version: '1.31.6',
    zone: 'Zurich',
    workers: 8,
    operation: { kind: 'scale', by: 'Ana', server: 'silent', step: 'Wait until every node is Ready', steps: [4, 6] },
  },
  {
    name: 'edge-07',
    state: 'Stopping',
    sinceSeconds: 355,
    version: '1.30.8',
    zone: 'Zurich',
    workers: 1,
    operation: { kind: 'stop', by: 'Vera', server: 'gone', step: 'Stop worker-1', steps: [1, 3] },
  },
  {
    name: 'dev-ben',
    state: 'Stopped',
    sinceSeconds: 86_400,
    version: '1.31.4',
    zone: 'Frankfurt',
    workers: 1,
    createdBy: 'Ben',
  },
  { name: 'sandbox', state: 'Created', sinceSeconds: 3000, version: '1.32.1', zone: 'Frankfurt', workers: 2 },
  {
    name: 'trial-eu',
    state: 'Error',
    sinceSeconds: 7300,
    version: '1.32.1',
    zone: 'Zurich',
    workers: 2,
    createdBy: 'Ben',
    attention: {
      code: 'create-failed',
      text: 'Create failed at "Build control-1": the zone has no room for offering Large (2 tries).',
    },
  },
  {
    name: 'old-shop',
    state: 'Destroying',
    sinceSeconds: 940,
    version: '1.30.8',
    zone: 'Frankfurt',
    workers: 2,
    attention: {
      code: 'delete-failed',
      text: 'Delete failed at "Release network": machines of somebody else are in it.',
    },
  },
  {
    name: 'build-farm',
    state: 'Recovering',
    sinceSeconds: 12,
    version: '1.31.6',
    zone: 'Frankfurt',
    workers: 6,
    external: true,
    operation: { kind: 'recover', by: 'scanner', server: 'up', step: 'See that every node is Ready', steps: [1, 5] },
  },
  {
    name: 'ml-gpu',
    state: 'Running',
    sinceSeconds: 86_400 * 20,
    version: '1.31.6',
    zone: 'Frankfurt',
    workers: 4,
    external: true,
  },
  ...['atlas', 'borealis', 'cassini', 'dione', 'europa', 'fornax', 'gaia', 'hydra'].map(
    (name, index): DemoCluster => ({
      name: `team-${name}`,
      state: 'Running',
      sinceSeconds: 86_400 * (index + 1),
      version: index % 3 === 0 ? '1.30.8' : '1.31.6',
      zone: index % 2 === 0 ? 'Frankfurt' : 'Zurich',
      workers: 1 + (index % 4),
      createdBy: index % 2 === 0 ? 'Ana' : 'Ben',
    }),
  ),
  { name: 'gone-2025', state: 'Destroyed', sinceSeconds: 86_400 * 30, version: '1.30.8', zone: 'Zurich', workers: 2 },
];

const zones: readonly Zone[] = [
  { id: 'zone-Frankfurt', name: 'Frankfurt', enabled: true },
  { id: 'zone-Zurich', name: 'Zurich', enabled: true },
  { id: 'zone-Old', name: 'Old hall', enabled: false },
];
const offering = (id: string, name: string, cpuCount: number, memoryMb: number): Offering => ({
  id,
  name,
  cpuCount,
  memoryMb,
  cpuSpeedMhz: 2000,
  custom: false,
});
const templates: readonly Template[] = [
  {
    id: 'template-1',
    name: 'Ubuntu 24.04 for Kubernetes',
    ready: true,
    zoneId: null,
    forKubernetes: true,
    isPublic: true,
  },
  { id: 'template-2', name: 'Rocky 9', ready: true, zoneId: null, forKubernetes: false, isPublic: true },
];
const networkOfferings: readonly NetworkOffering[] = [
  {
    id: 'network-offering-1',
    name: 'Isolated network for Kubernetes',
    enabled: true,
    guestType: 'Isolated',
    egressAllowed: true,
    forVpc: false,
    services: ['Lb', 'Firewall', 'SourceNat'],
  },
];

export const demoCatalogue = {
  zones,
  offerings: [
    offering('offering-s', 'Small', 1, 1024),
    offering('offering-m', 'Medium', 2, 4096),
    offering('offering-l', 'Large', 4, 8192),
  ],
  templates,
  isos: [],
  networkOfferings,
  networks: [
    {
      id: 'network-1',
      name: 'shared-frankfurt',
      zoneId: 'zone-Frankfurt',
      state: 'Implemented',
      cidr: '10.2.0.0/24',
      egressAllowed: true,
    },
  ],
  sshKeyPairs: ['ana-laptop', 'ops'],
};
