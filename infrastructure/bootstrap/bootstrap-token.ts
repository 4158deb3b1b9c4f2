import { randomInt } from 'node:crypto';
import type { KubernetesObject, ObjectReference } from '@/infrastructure/kubernetes';

/** `[a-z0-9]{6}.[a-z0-9]{16}`: the part before the dot is public, the other secret. */
export type BootstrapToken = `${string}.${string}`;

const tokenShape = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** A new random token in kubeadm's form. */
export function createBootstrapToken(): BootstrapToken {
  return `${randomText(6)}.${randomText(16)}`;
}

/** The Secret that makes a token valid until `expiresAt`, for nodes that join later (C.5). Throws on a malformed token. */
export function bootstrapTokenSecret(request: {
  token: string;
  expiresAt: Date;
  description?: string;
}): KubernetesObject {
  const { id, secret } = splitToken(request.token);
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: `bootstrap-token-${id}`, namespace: 'kube-system' },
    type: 'bootstrap.kubernetes.io/token',
    stringData: {
      description: request.description ?? 'Made by Holdfast for one operation.',
      'token-id': id,
      'token-secret': secret,
      expiration: request.expiresAt.toISOString().replace(/\.\d+Z$/, 'Z'),
      'usage-bootstrap-authentication': 'true',
      'usage-bootstrap-signing': 'true',
      'auth-extra-groups': 'system:bootstrappers:kubeadm:default-node-token',
    },
  };
}

/** Names the token's Secret, for its removal at the operation's end. */
export function bootstrapTokenReference(token: string): ObjectReference {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    namespace: 'kube-system',
    name: `bootstrap-token-${splitToken(token).id}`,
  };
}

function splitToken(token: string): { id: string; secret: string } {
  const [, id, secret] = tokenShape.exec(token) ?? [];
  if (id === undefined || secret === undefined)
    throw new Error('Not a bootstrap token: it must read [a-z0-9]{6}.[a-z0-9]{16}.');
  return { id, secret };
}

function randomText(length: number): string {
  return Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
}
