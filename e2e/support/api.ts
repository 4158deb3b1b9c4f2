/** The product's API as a script uses it: `Authorization: Bearer hf_…`. */
import { createHash, randomBytes } from 'node:crypto';
import type postgres from 'postgres';
import type { Role } from '@/domain/actor';
import type { OperationKind } from '@/domain/operations';
import type { Refusal } from '@/domain/refusals';
import type { Records } from './records';

export interface Accepted {
  readonly jobId: string;
  readonly clusterId: string;
  readonly waiting: boolean;
  readonly repeated: boolean;
}

export type Answer =
  | { readonly ok: true; readonly status: number; readonly value: Accepted }
  | { readonly ok: false; readonly status: number; readonly refusal: Refusal };

/** A token of each role, stored as `auth/api-tokens.ts` stores them. */
export async function addTokens(sql: postgres.Sql): Promise<Record<Role, string>> {
  const add = async (role: Role) => {
    const token = `hf_${randomBytes(32).toString('base64url')}`;
    const hash = createHash('sha256').update(token).digest('hex');
    await sql`insert into api_tokens (name, token_hash, role, created_by) values (${`proofs (${role})`}, ${hash}, ${role}, 'proofs')`;
    return token;
  };
  return { viewer: await add('viewer'), operator: await add('operator'), admin: await add('admin') };
}

export type Api = ReturnType<typeof createApi>;

export function createApi({ url, token, records }: { url: string; token: string; records: Records }) {
  async function ask(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Response> {
    return fetch(new URL(path, url), {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000),
    });
  }

  async function change(path: string, body: unknown): Promise<Answer> {
    const response = await ask('POST', path, body);
    const text = await response.text();
    let answer: { refusal?: Refusal } & Partial<Accepted>;
    try {
      answer = JSON.parse(text);
    } catch {
      throw new Error(`POST ${path}: ${response.status} ${text.slice(0, 300)}`);
    }
    if (response.status === 202) return { ok: true, status: 202, value: answer as Accepted };
    if (answer.refusal === undefined) throw new Error(`POST ${path}: ${response.status} ${text.slice(0, 300)}`);
    return { ok: false, status: response.status, refusal: answer.refusal };
  }

  const operate = (
    kind: Exclude<OperationKind, 'create' | 'recover'>,
    clusterId: string,
    input: Record<string, unknown> = {},
  ) => change('/api/v1/operations', { kind, clusterId, input });

  return {
    url,
    ask,
    operate,
    /** One control node and one worker, started, unless said otherwise. */
    create: async (name: string, more: Record<string, unknown> = {}) =>
      change('/api/v1/clusters', { ...(await smallCluster(records)), name, ...more }),
    /** As `create`, and it must be accepted. */
    createAccepted: async (name: string, more: Record<string, unknown> = {}) =>
      acceptedOf(await change('/api/v1/clusters', { ...(await smallCluster(records)), name, ...more })),
    operateAccepted: async (...asked: Parameters<typeof operate>) => acceptedOf(await operate(...asked)),
  };
}

function acceptedOf(answer: Answer): Accepted {
  if (!answer.ok) throw new Error(`refused (${answer.status}): ${answer.refusal.message}`);
  return answer.value;
}

interface Catalogue {
  readonly zones: readonly { id: string; name: string }[];
  readonly offerings: readonly { id: string; name: string; cpuCount: number; memoryMb: number }[];
  readonly templates: readonly { id: string; ready: boolean; forKubernetes: boolean }[];
  readonly networkOfferings: readonly { id: string; enabled: boolean; guestType: string; forVpc: boolean }[];
}

/** What the cloud offers, once a server has read it. */
export async function catalogueOf(records: Records): Promise<Catalogue> {
  return records.until('the catalogue of the cloud is read', async () => {
    const rows = await records.sql<{ kind: string; data: unknown }[]>`select kind, data from cloud_catalogue`;
    const all = Object.fromEntries(rows.map(({ kind, data }) => [kind, data])) as unknown as Partial<Catalogue>;
    const { zones, offerings, templates, networkOfferings } = all;
    if (!zones || !offerings || !templates || !networkOfferings) return undefined;
    return { zones, offerings, templates, networkOfferings };
  });
}

/** Ids of the versions that can be used, oldest first. */
export async function versionsOf(records: Records) {
  const rows = await records.until('versions are known', async () => {
    const found = await records.sql<{ id: string; version: string }[]>`
      select id, version from kubernetes_versions where enabled
      order by string_to_array(version, '.')::int[]`;
    return found.length === 0 ? undefined : found;
  });
  return [...rows];
}

async function smallCluster(records: Records) {
  const [catalogue, versions] = await Promise.all([catalogueOf(records), versionsOf(records)]);
  const offering = catalogue.offerings.find(({ name }) => name === '2x4');
  const version = versions.find((each) => each.version === '1.31.4');
  return {
    zoneId: catalogue.zones[0]?.id,
    kubernetesVersionId: version?.id,
    controlCount: 1,
    workerCount: 1,
    controlOfferingId: offering?.id,
    workerOfferingId: offering?.id,
    templateId: catalogue.templates.find(({ ready, forKubernetes }) => ready && forKubernetes)?.id,
    networkOfferingId: catalogue.networkOfferings.find(
      ({ enabled, guestType, forVpc }) => enabled && guestType === 'Isolated' && !forVpc,
    )?.id,
  };
}
