import { cloudContract } from './cloud-contract';
import { openCloudStack } from './cloudstack-subject';
import { kubernetesContract } from './kubernetes-contract';
import { startSimulatorProcess } from './simulator-process';
import type { OpenSubject } from './subject';
import { topologyContract } from './topology-contract';

/** Both real drivers, over real HTTP and TLS. Each suite has a cloud of its own. */
const openIn =
  (subnet: string): OpenSubject =>
  async () => {
    const { apiUrl, apiKey, secretKey, faults, stop } = await startSimulatorProcess(subnet);
    const options = { apiUrl, apiKey, secretKey, userAgent: 'holdfast/contract', pollMs: 50 };
    return openCloudStack({ options, faults, pollMs: 50, bootstrapMs: 20_000, stop });
  };

cloudContract('CloudStack driver, simulated cloud', openIn('127.33'));
kubernetesContract('Kubernetes driver, simulated cloud', openIn('127.34'));
topologyContract('both drivers, simulated cloud', openIn('127.35'));
