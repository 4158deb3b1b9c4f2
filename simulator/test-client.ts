/** For tests: a CloudStack client that signs by itself, and a client of the control port. */
import { createHmac } from 'node:crypto';
import type { JsonObject } from './core/json';
import type { Settings } from './settings';
import { type Simulator, startSimulator } from './start-simulator';

export const controlSecret = 'test-control';

export interface Answer {
  status: number;
  description: string | null;
  key: string;
  body: JsonObject;
}

type Parameters = Record<string, string>;

export function signedQuery(parameters: Parameters, secretKey: string): string {
  const encode = (text: string) =>
    encodeURIComponent(text).replace(/[!'()~]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
  const names = Object.keys(parameters).sort();
  const text = names
    .map((name) => `${name}=${encode(parameters[name] ?? '')}`)
    .join('&')
    .toLowerCase();
  const signature = createHmac('sha1', secretKey).update(text).digest('base64');
  return new URLSearchParams({ ...parameters, signature }).toString();
}

export class TestCloud {
  readonly simulator: Simulator;

  constructor(simulator: Simulator) {
    this.simulator = simulator;
  }

  async raw(
    command: string,
    parameters: Parameters = {},
    options: { key?: string; secret?: string; post?: boolean; operation?: string } = {},
  ): Promise<Answer> {
    const all = { command, response: 'json', apiKey: options.key ?? 'holdfast-demo-key', ...parameters };
    const query = signedQuery(all, options.secret ?? 'holdfast-demo-secret');
    const headers: Record<string, string> =
      options.operation === undefined ? {} : { 'x-holdfast-operation': options.operation };
    const answer =
      options.post === true
        ? await fetch(this.simulator.apiUrl, {
            method: 'POST',
            body: query,
            headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
          })
        : await fetch(`${this.simulator.apiUrl}?${query}`, { headers });
    const json = (await answer.json()) as Record<string, JsonObject>;
    const [[key, body] = ['', {}]] = Object.entries(json);
    return { status: answer.status, description: answer.headers.get('x-description'), key, body };
  }

  /** A call that must succeed; waits for the job if there is one and returns its result. */
  async call(command: string, parameters: Parameters = {}): Promise<JsonObject> {
    const answer = await this.raw(command, parameters, { post: !/^(list|get|query)/.test(command) });
    if (answer.status !== 200) throw new Error(`${command}: ${answer.status} ${answer.description}`);
    const jobId = answer.body['jobid'];
    if (typeof jobId !== 'string' || command === 'queryAsyncJobResult') return answer.body;
    const job = await this.job(jobId);
    if (job['jobstatus'] !== 1) throw new Error(`${command}: ${JSON.stringify(job['jobresult'])}`);
    return { ...(job['jobresult'] as JsonObject), id: answer.body['id'] };
  }

  async job(jobId: string): Promise<JsonObject> {
    for (;;) {
      const { body, status } = await this.raw('queryAsyncJobResult', { jobid: jobId });
      if (status !== 200 || body['jobstatus'] !== 0) return body;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  async list(command: string, key: string, parameters: Parameters = {}): Promise<JsonObject[]> {
    const body = await this.call(command, { listall: 'true', ...parameters });
    return (body[key] ?? []) as JsonObject[];
  }

  async control<T = JsonObject>(method: string, path: string, body?: object): Promise<T> {
    const answer = await fetch(`${this.simulator.controlUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${controlSecret}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const json = (await answer.json()) as T;
    if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(json)}`);
    return json;
  }

  /** Everything a machine needs, by name. */
  async catalogue(): Promise<{
    zoneid: string;
    serviceofferingid: string;
    templateid: string;
    networkofferingid: string;
  }> {
    const [zone] = await this.list('listZones', 'zone');
    const [offering] = await this.list('listServiceOfferings', 'serviceoffering', { name: '2x4' });
    const [template] = await this.list('listTemplates', 'template', {
      templatefilter: 'executable',
      name: 'debian-12-kubernetes',
    });
    const [network] = await this.list('listNetworkOfferings', 'networkoffering', {
      name: 'DefaultIsolatedNetworkOfferingWithSourceNatService',
    });
    return {
      zoneid: String(zone?.['id']),
      serviceofferingid: String(offering?.['id']),
      templateid: String(template?.['id']),
      networkofferingid: String(network?.['id']),
    };
  }

  async network(name: string): Promise<string> {
    const { zoneid, networkofferingid } = await this.catalogue();
    const created = await this.call('createNetwork', { name, zoneid, networkofferingid });
    return String((created['network'] as JsonObject)['id']);
  }

  async machine(name: string, networkId: string, more: Parameters = {}): Promise<string> {
    const { zoneid, serviceofferingid, templateid } = await this.catalogue();
    const created = await this.call('deployVirtualMachine', {
      zoneid,
      serviceofferingid,
      templateid,
      networkids: networkId,
      name,
      startvm: 'false',
      ...more,
    });
    return String(created['id']);
  }
}

/** Polls until the check gives something; the deadline is generous because machines are shared. */
export async function eventually<T>(check: () => Promise<T | undefined | false>, ms = 8_000): Promise<T> {
  const deadline = Date.now() + ms;
  let last: unknown;
  for (;;) {
    try {
      const found = await check();
      if (found !== undefined && found !== false) return found;
    } catch (error) {
      last = error;
    }
    if (Date.now() > deadline) throw new Error('it never happened', { cause: last });
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}

export async function startTestCloud(subnet: string, options: Partial<Settings> = {}): Promise<TestCloud> {
  return new TestCloud(
    await startSimulator({ port: 0, controlPort: 0, controlSecret, speed: 0.01, subnet, ...options }),
  );
}
