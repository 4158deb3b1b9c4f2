import { memoryIds, memoryIsoId } from '@/infrastructure/memory/catalogue';
import { createMemoryCloud } from '@/infrastructure/memory/create-memory-cloud';
import type { FaultAction } from '@/infrastructure/memory/faults';
import { cloudContract } from './cloud-contract';
import { kubernetesContract } from './kubernetes-contract';
import type { ContractFaults, FaultyMethod, OpenSubject } from './subject';
import { topologyContract } from './topology-contract';

const kinds = {
  401: 'denied',
  429: 'transient',
  503: 'transient',
  530: 'transient',
  533: 'capacity',
  534: 'transient',
  535: 'quota',
  537: 'refused',
} as const;

const open: OpenSubject = async () => {
  const { cloud, connectKubernetes, control } = createMemoryCloud();
  const inject = async (method: FaultyMethod, action: FaultAction) => void control.fault({ method, action });
  const refuse = (method: FaultyMethod, code: number) => {
    const kind = Object.entries(kinds).find(([known]) => Number(known) === code)?.[1] ?? 'transient';
    return inject(method, { refuse: kind, code });
  };
  const faults: ContractFaults = {
    refuse,
    failJob: refuse,
    loseAnswer: (method) => inject(method, 'lose-answer'),
    hang: (method) => inject(method, 'hang'),
    clear: async () => control.clearFaults(),
  };
  return {
    cloud,
    connectKubernetes,
    faults,
    offered: {
      zoneId: memoryIds.zone,
      networkOfferingId: memoryIds.isolatedOffering,
      offeringId: memoryIds.smallOffering,
      largerOfferingId: memoryIds.largeOffering,
      templateId: memoryIds.template,
      isoId: memoryIsoId('1.31.4'),
      version: '1.31.4',
      next: { isoId: memoryIsoId('1.32.1'), version: '1.32.1' },
    },
    pollMs: 1,
    bootstrapMs: 2_000,
    stop: async () => undefined,
  };
};

cloudContract('memory', open);
kubernetesContract('memory', open);
topologyContract('memory', open);
