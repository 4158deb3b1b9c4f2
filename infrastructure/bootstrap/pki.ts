/*
 * bootstrap/ — everything both sides must know before the first machine runs: certificates, tokens, kubeadm documents, user
 * data, scripts, names. No I/O besides random numbers. The bootstrap is that of `reference/cloud.md` section C: nothing is
 * guessable, nothing is joined unverified, no SSH.
 */
import { createHash, X509Certificate } from 'node:crypto';
import { z } from 'zod';
import { type CertificateAndKey, createAuthority, createKeyPair, issueLeaf, keyPairSchema } from './authority';

/** A cluster's secrets as stored (encrypted) with it: three authorities and the pair that signs service account tokens. */
export const clusterPkiSchema = z.object({
  cluster: keyPairSchema,
  frontProxy: keyPairSchema,
  etcd: keyPairSchema,
  serviceAccount: z.object({ publicKeyPem: z.string().min(1), keyPem: z.string().min(1) }),
});
export type ClusterPki = z.infer<typeof clusterPkiSchema>;

/** Ten years, as kubeadm gives its authorities. */
const authorityDays = 3_650;
/** Nothing on an etcd node renews certificates, so theirs live nearly as long as the authority. */
const etcdLeafDays = 3_600;

/** New authorities for one cluster. Safe to call twice only before the first machine: later, all members must share them. */
export async function createClusterPki(cluster: { clusterName: string }): Promise<ClusterPki> {
  const [clusterCa, frontProxy, etcd, serviceAccount] = await Promise.all([
    createAuthority({ commonName: 'kubernetes', organizations: [cluster.clusterName], days: authorityDays }),
    createAuthority({ commonName: 'front-proxy-ca', days: authorityDays }),
    createAuthority({ commonName: 'etcd-ca', days: authorityDays }),
    createKeyPair(),
  ]);
  return { cluster: clusterCa, frontProxy, etcd, serviceAccount };
}

/** A client certificate of the cluster; `organizations` are its groups (`system:masters` may do everything). */
export function signClientCertificate(
  pki: ClusterPki,
  request: { commonName: string; organizations: readonly string[]; days: number },
): Promise<CertificateAndKey> {
  return issueLeaf(pki.cluster, { ...request, use: ['client'] });
}

/** Serves and calls other members: etcd uses its server certificate as a client of itself too. */
export function signEtcdMemberCertificate(
  pki: ClusterPki,
  member: { name: string; address: string },
): Promise<CertificateAndKey> {
  return issueLeaf(pki.etcd, {
    commonName: member.name,
    days: etcdLeafDays,
    use: ['server', 'client'],
    addresses: [member.address, '127.0.0.1'],
    hostNames: [member.name, 'localhost'],
  });
}

/** What the API servers show to separate etcd nodes; kubeadm makes none for external etcd. */
export function signEtcdClientCertificate(pki: ClusterPki): Promise<CertificateAndKey> {
  return issueLeaf(pki.etcd, { commonName: 'kube-apiserver-etcd-client', days: etcdLeafDays, use: ['client'] });
}

/** kubeadm's pin of the cluster CA for joins: `sha256:` and the hash of the public key in DER (C.3). */
export function caCertHash(certificatePem: string): string {
  const spki = new X509Certificate(certificatePem).publicKey.export({ type: 'spki', format: 'der' });
  return `sha256:${createHash('sha256').update(spki).digest('hex')}`;
}
