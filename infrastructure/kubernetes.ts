/*
 * The contract with a cluster's Kubernetes API: some fifteen calls. Drivers are `kube/` and `memory/`. Drain, manifests and
 * the upgrade job are procedures over this contract and live in `worker/`.
 * Every call has its own time-out besides `call.signal`. `call.authorize()` is awaited before each call.
 */
import type { CallContext } from './cloud';

/** Client certificate access to one cluster, as Holdfast signed it. PEM texts; `endpoint` is `https://host:port`. */
export interface ClusterAccess {
  readonly endpoint: string;
  readonly caPem: string;
  readonly certificatePem: string;
  readonly keyPem: string;
}

/**
 * `unreachable`: nobody answers, or the connection breaks (also what a load balancer without a live control node does).
 * `not-ready`: it answers, with 5xx. `denied`: 401 or 403. `conflict`: 409. `not-found`: 404. `blocked`: 429. `refused`: other 4xx.
 */
export type KubernetesErrorKind =
  | 'unreachable'
  | 'not-ready'
  | 'denied'
  | 'conflict'
  | 'not-found'
  | 'blocked'
  | 'refused';

export class KubernetesError extends Error {
  readonly kind: KubernetesErrorKind;
  readonly code: number | null;

  constructor(kind: KubernetesErrorKind, message: string, details: { code?: number | null; cause?: unknown } = {}) {
    super(message, { cause: details.cause });
    this.name = 'KubernetesError';
    this.kind = kind;
    this.code = details.code ?? null;
  }
}

export interface KubernetesNode {
  readonly name: string;
  readonly ready: boolean;
  readonly unschedulable: boolean;
  readonly controlPlane: boolean;
  /** Without the leading `v`. */
  readonly kubeletVersion: string;
  /** Lower case; equals the machine's id. */
  readonly systemUuid: string;
  readonly providerId: string | null;
}

export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  /** Absent for cluster-wide kinds. */
  readonly namespace?: string;
}

/** Any Kubernetes object; only what Holdfast reads is typed, by those who read it. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly generation?: number;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly deletionTimestamp?: string;
    readonly ownerReferences?: readonly { kind: string; name: string; uid: string; controller?: boolean }[];
  };
  readonly [field: string]: unknown;
}

export type EvictionAnswer =
  | { readonly kind: 'evicted' }
  | { readonly kind: 'gone' }
  /** A disruption budget stands in the way for now. */
  | { readonly kind: 'blocked'; readonly message: string };

export interface KubernetesApi {
  /** True when `/readyz` says ok; false when it answers anything else or nobody answers. Never throws but on abort. */
  isReady(call: CallContext): Promise<boolean>;
  /** The API server's version without the leading `v`. */
  serverVersion(call: CallContext): Promise<string>;
  listNodes(call: CallContext): Promise<readonly KubernetesNode[]>;
  setUnschedulable(call: CallContext, nodeName: string, unschedulable: boolean): Promise<void>;
  annotateNode(call: CallContext, nodeName: string, annotations: Readonly<Record<string, string>>): Promise<void>;
  /** Sets `spec.providerID` where it is empty; leaves any other value alone. */
  setProviderId(call: CallContext, nodeName: string, providerId: string): Promise<void>;
  /** Fine when it is gone. */
  deleteNode(call: CallContext, nodeName: string): Promise<void>;
  evictPod(call: CallContext, pod: { namespace: string; name: string; uid: string }): Promise<EvictionAnswer>;
  /** Server-side apply, field manager `holdfast`, forced. Repeatable. */
  apply(call: CallContext, object: KubernetesObject): Promise<void>;
  /** Null when it is not there. */
  get(call: CallContext, reference: ObjectReference): Promise<KubernetesObject | null>;
  /** All pages. `fieldSelector` as in `spec.nodeName=x`. */
  list(
    call: CallContext,
    query: { apiVersion: string; kind: string; namespace?: string; fieldSelector?: string; labelSelector?: string },
  ): Promise<readonly KubernetesObject[]>;
  /** Background propagation; fine when it is gone. */
  delete(call: CallContext, reference: ObjectReference): Promise<void>;
  /** Ends idle connections. */
  close(): void;
}

/** Opens access to one cluster. Cheap; connects with the first call. */
export type ConnectKubernetes = (access: ClusterAccess) => KubernetesApi;
