/** What an owner of the cloud account does beside Holdfast: networks and machines of their own, by signed calls. */
import { setTimeout as sleep } from 'node:timers/promises';
import { signedForm } from '@/infrastructure/signature';
import type { catalogueOf } from './api';

interface Account {
  readonly environment: Readonly<Record<string, string>>;
}

type Body = Readonly<Record<string, unknown>>;

async function ask({ environment }: Account, command: string, parameters: Record<string, string>): Promise<Body> {
  const form = signedForm(
    { ...parameters, command, response: 'json', apiKey: environment['CLOUDSTACK_API_KEY'] ?? '' },
    environment['CLOUDSTACK_SECRET_KEY'] ?? '',
  );
  const response = await fetch(environment['CLOUDSTACK_API_URL'] ?? '', {
    method: 'POST',
    body: form,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  const [body] = Object.values((await response.json()) as Record<string, Body>);
  if (!response.ok || body === undefined) throw new Error(`${command}: ${response.status} ${JSON.stringify(body)}`);
  return body;
}

async function untilDone(account: Account, jobid: string): Promise<void> {
  for (;;) {
    const { jobstatus, jobresult } = await ask(account, 'queryAsyncJobResult', { jobid });
    if (jobstatus === 1) return;
    if (jobstatus !== 0) throw new Error(`job ${jobid} of the cloud: ${JSON.stringify(jobresult)}`);
    await sleep(20);
  }
}

type Catalogue = Awaited<ReturnType<typeof catalogueOf>>;

/** An isolated network that no cluster owns; its id. */
export async function addNetwork(account: Account, name: string, catalogue: Catalogue): Promise<string> {
  const offering = catalogue.networkOfferings.find(
    ({ enabled, guestType, forVpc }) => enabled && guestType === 'Isolated' && !forVpc,
  );
  const { network } = await ask(account, 'createNetwork', {
    name,
    displaytext: name,
    zoneid: catalogue.zones[0]?.id ?? '',
    networkofferingid: offering?.id ?? '',
  });
  return (network as { id: string }).id;
}

/** A running machine in the network that could become a node; its id. */
export async function attachMachine(account: Account, networkId: string, catalogue: Catalogue): Promise<string> {
  const { id, jobid } = await ask(account, 'deployVirtualMachine', {
    name: `own-${Math.random().toString(36).slice(2, 10)}`,
    zoneid: catalogue.zones[0]?.id ?? '',
    serviceofferingid: catalogue.offerings.find(({ name }) => name === '2x4')?.id ?? '',
    templateid: catalogue.templates.find(({ ready, forKubernetes }) => ready && forKubernetes)?.id ?? '',
    networkids: networkId,
  });
  await untilDone(account, String(jobid));
  return String(id);
}
