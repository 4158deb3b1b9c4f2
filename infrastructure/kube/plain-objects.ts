import {
  ApiException,
  type Configuration,
  HttpMethod,
  KubernetesObjectApi,
  PatchStrategy,
  type RequestContext,
} from '@kubernetes/client-node';
import { z } from 'zod';
import type { KubernetesObject, ObjectReference } from '@/infrastructure/kubernetes';
import { UnknownKind } from './errors';

export interface ListQuery {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
}

/** What discovery has told of a cluster, shared by all calls of one connection. */
export type Discovery = KubernetesObjectApi['apiVersionResourceCache'];

const fieldManager = 'holdfast';
const pageSize = 500;
const plainObject = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
});
const plainList = z.object({
  metadata: z.object({ continue: z.string().optional() }).default({}),
  items: z.array(z.looseObject({ metadata: z.looseObject({ name: z.string() }) })),
});

/**
 * The client's object API without its models: those turn times into Dates, rename fields and drop what they do not know, which would
 * lose parts of a manifest. Discovery, paths and transport are the client's own.
 */
export class PlainObjects extends KubernetesObjectApi {
  constructor(configuration: Configuration, discovery: Discovery) {
    super(configuration);
    this.apiVersionResourceCache = discovery;
  }

  async readPlain(reference: ObjectReference): Promise<KubernetesObject> {
    return asObject(await this.exchange(HttpMethod.GET, await this.pathOf(reference)));
  }

  async applyPlain(object: KubernetesObject): Promise<void> {
    const { apiVersion, kind, metadata } = object;
    const path = await this.pathOf({ apiVersion, kind, ...metadata });
    await this.exchange(HttpMethod.PATCH, path, {
      query: { fieldManager, force: 'true' },
      body: { type: PatchStrategy.ServerSideApply, text: JSON.stringify(object) },
    });
  }

  async deletePlain(reference: ObjectReference): Promise<void> {
    await this.exchange(HttpMethod.DELETE, await this.pathOf(reference), {
      query: { propagationPolicy: 'Background' },
    });
  }

  async listPlain(query: ListQuery): Promise<readonly KubernetesObject[]> {
    const { apiVersion, kind, namespace, fieldSelector, labelSelector } = query;
    const metadata = namespace === undefined ? {} : { namespace };
    const path = await this.known(query, () => this.specUriPath({ apiVersion, kind, metadata }, 'list'));
    const selectors = {
      ...(fieldSelector === undefined ? {} : { fieldSelector }),
      ...(labelSelector === undefined ? {} : { labelSelector }),
    };
    const found: KubernetesObject[] = [];
    let token = '';
    do {
      const next: Record<string, string> = token === '' ? {} : { continue: token };
      const page = plainList.parse(
        await this.exchange(HttpMethod.GET, path, { query: { limit: String(pageSize), ...selectors, ...next } }),
      );
      // Items of a list do not name their kind.
      found.push(...page.items.map((item) => asObject({ ...item, apiVersion, kind })));
      token = page.metadata.continue ?? '';
    } while (token !== '');
    return found;
  }

  /** A path outside the resources, answered in plain text. */
  async readText(path: string): Promise<string> {
    return this.send(this.configuration.baseServer.makeRequestContext(path, HttpMethod.GET));
  }

  private pathOf({ apiVersion, kind, name, namespace }: ObjectReference): Promise<string> {
    const metadata = namespace === undefined ? { name } : { name, namespace };
    return this.known({ apiVersion, kind }, () => this.specUriPath({ apiVersion, kind, metadata }, 'read'));
  }

  private async known<T>(reference: { apiVersion: string; kind: string }, path: () => Promise<T>): Promise<T> {
    const resource = await this.resource(reference.apiVersion, reference.kind).catch((error: unknown) => {
      if (error instanceof ApiException && error.code === 404) return undefined;
      throw error;
    });
    if (resource === undefined) throw new UnknownKind(reference);
    return path();
  }

  private async exchange(
    method: HttpMethod,
    path: string,
    more: { query?: Readonly<Record<string, string>>; body?: { type: string; text: string } } = {},
  ): Promise<unknown> {
    const context = this.configuration.baseServer.makeRequestContext(path, method);
    context.setHeaderParam('Accept', 'application/json');
    for (const [name, value] of Object.entries(more.query ?? {})) context.setQueryParam(name, value);
    if (more.body !== undefined) {
      context.setHeaderParam('Content-Type', more.body.type);
      context.setBody(more.body.text);
    }
    return JSON.parse(await this.send(context));
  }

  private async send(context: RequestContext): Promise<string> {
    let ready = context;
    for (const middleware of this.configuration.middleware) ready = await middleware.pre(ready).toPromise();
    const response = await this.configuration.httpApi.send(ready).toPromise();
    const text = await response.body.text();
    if (response.httpStatusCode < 200 || response.httpStatusCode > 299) {
      throw new ApiException(response.httpStatusCode, 'refused', text, response.headers);
    }
    return text;
  }
}

function asObject(value: unknown): KubernetesObject {
  plainObject.parse(value);
  return value as KubernetesObject;
}
