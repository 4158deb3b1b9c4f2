/** Who asks: a client certificate of the cluster's own CA, or a bootstrap token. And what they may do. */
import type { TLSSocket } from 'node:tls';
import type { ClusterRuntime } from './cluster-runtime';
import type { Identity } from './request';
import { StatusError } from './status';

const anonymous: Identity = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

/** What everybody may read, signed in or not. */
const publicPaths = /^\/(readyz|livez|healthz|version)(\/|$)/;

function listOf(value: string | string[] | undefined): string[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

function byCertificate(socket: TLSSocket): Identity | null {
  if (!socket.authorized) return null;
  const { subject } = socket.getPeerCertificate();
  // With no certificate at all the peer's is an empty object, whatever the types say.
  const names = subject as { CN?: string | string[]; O?: string | string[] } | undefined;
  const name = listOf(names?.CN)[0];
  return name === undefined ? null : { name, groups: [...listOf(names?.O), 'system:authenticated'] };
}

/** 401 for a foreign certificate, an unknown token, and for nobody at all beyond the public paths. */
export function authenticate(
  runtime: ClusterRuntime,
  socket: TLSSocket,
  authorization: string | undefined,
  path: string,
): Identity {
  const certified = byCertificate(socket);
  if (certified !== null) return certified;
  const unauthorised = new StatusError(401, 'Unauthorized');
  const presented = Object.keys(socket.getPeerCertificate()).length > 0;
  if (presented) throw unauthorised;
  const token = /^Bearer (.+)$/.exec(authorization ?? '')?.[1];
  if (token !== undefined) {
    const groups = runtime.tokenGroups(token);
    if (groups === null) throw unauthorised;
    return { name: `system:bootstrap:${token.split('.')[0] ?? ''}`, groups: [...groups, 'system:authenticated'] };
  }
  if (publicPaths.test(path)) return anonymous;
  throw unauthorised;
}

/** What a joining node may read with its token. */
const joinPaths =
  /^\/(api|apis|api\/v1|apis\/[^/]+\/[^/]+|openapi.*)$|configmaps\/(kubeadm-config|kubelet-config|cluster-info|kube-proxy)$|certificatesigningrequests|\/nodes\/[^/]+$/;

/** Masters may do everything, a joining node only what joining needs. Throws 403. */
export function authorise(identity: Identity, verb: string, path: string): void {
  if (identity.groups.includes('system:masters') || identity.groups.includes('kubeadm:cluster-admins')) return;
  if (publicPaths.test(path)) return;
  const joining =
    identity.groups.includes('system:bootstrappers') && (verb === 'get' || verb === 'create') && joinPaths.test(path);
  const looking = verb === 'get' && /^\/(api|apis|openapi)(\/[^/]+(\/[^/]+)?)?$/.test(path);
  if (!joining && !looking) throw new StatusError(403, `User "${identity.name}" cannot ${verb} path "${path}"`);
}
