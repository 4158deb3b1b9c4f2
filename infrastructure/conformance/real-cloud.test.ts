import { describe, it } from 'vitest';
import { cloudContract } from './cloud-contract';
import { openCloudStack } from './cloudstack-subject';
import { kubernetesContract } from './kubernetes-contract';
import type { OpenSubject } from './subject';
import { topologyContract } from './topology-contract';

/** Runs where somebody has a CloudStack and says so; it makes and destroys machines there. */
const { CLOUDSTACK_API_URL: apiUrl, CLOUDSTACK_API_KEY: apiKey, CLOUDSTACK_SECRET_KEY: secretKey } = process.env;

if (apiUrl === undefined || apiKey === undefined || secretKey === undefined) {
  describe('a real cloud', () => {
    it.skip('is not tried: CLOUDSTACK_API_URL, CLOUDSTACK_API_KEY and CLOUDSTACK_SECRET_KEY are not set', () =>
      undefined);
  });
} else {
  const open: OpenSubject = () =>
    openCloudStack({
      options: { apiUrl, apiKey, secretKey, userAgent: 'holdfast/contract' },
      faults: null,
      pollMs: 2_000,
      bootstrapMs: 1_200_000,
      stop: async () => undefined,
    });
  cloudContract('CloudStack driver, real cloud', open);
  kubernetesContract('Kubernetes driver, real cloud', open);
  topologyContract('both drivers, real cloud', open);
}
