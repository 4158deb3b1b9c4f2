import { createPublicKey, X509Certificate } from 'node:crypto';
import { connect, createServer } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { issueLeaf } from './authority';
import { renderKubeconfig } from './kubeconfig';
import {
  caCertHash,
  clusterPkiSchema,
  createClusterPki,
  signClientCertificate,
  signEtcdMemberCertificate,
} from './pki';

describe('the cluster PKI', () => {
  it('survives storage as JSON and holds matching pairs', async () => {
    const made = await createClusterPki({ clusterName: 'demo' });
    const pki = clusterPkiSchema.parse(JSON.parse(JSON.stringify(made)));
    for (const pair of [pki.cluster, pki.frontProxy, pki.etcd]) {
      const certificate = new X509Certificate(pair.certificatePem);
      expect(certificate.ca).toBe(true);
      expect(certificate.publicKey.export({ type: 'spki', format: 'pem' })).toBe(
        createPublicKey(pair.keyPem).export({ type: 'spki', format: 'pem' }),
      );
    }
    expect(createPublicKey(pki.serviceAccount.keyPem).export({ type: 'spki', format: 'pem' })).toBe(
      pki.serviceAccount.publicKeyPem,
    );
  });

  it('signs client certificates that only its own authority vouches for', async () => {
    const [pki, other] = await Promise.all([
      createClusterPki({ clusterName: 'a' }),
      createClusterPki({ clusterName: 'b' }),
    ]);
    const client = await signClientCertificate(pki, {
      commonName: 'holdfast',
      organizations: ['system:masters'],
      days: 365,
    });
    const certificate = new X509Certificate(client.certificatePem);
    expect(certificate.subject).toBe('O=system:masters\nCN=holdfast');
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
    expect(certificate.verify(new X509Certificate(pki.cluster.certificatePem).publicKey)).toBe(true);
    expect(certificate.verify(new X509Certificate(other.cluster.certificatePem).publicKey)).toBe(false);
    const days = (Date.parse(certificate.validTo) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(364);
    expect(days).toBeLessThan(366);
  });

  it('lets both sides of a TLS connection know each other', async () => {
    const pki = await createClusterPki({ clusterName: 'demo' });
    const serving = await issueLeaf(pki.cluster, {
      commonName: 'kube-apiserver',
      days: 1,
      use: ['server'],
      addresses: ['127.0.0.1'],
    });
    const client = await signClientCertificate(pki, {
      commonName: 'holdfast',
      organizations: ['system:masters'],
      days: 1,
    });
    const server = createServer(
      {
        cert: serving.certificatePem,
        key: serving.keyPem,
        ca: pki.cluster.certificatePem,
        requestCert: true,
        rejectUnauthorized: true,
      },
      (socket) => socket.end(String(socket.getPeerCertificate().subject.CN)),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const said = await new Promise<string>((resolve, reject) => {
      const socket = connect({
        port,
        host: '127.0.0.1',
        ca: pki.cluster.certificatePem,
        cert: client.certificatePem,
        key: client.keyPem,
      });
      socket.on('data', (data) => resolve(data.toString()));
      socket.on('error', reject);
    });
    server.close();
    expect(said).toBe('holdfast');
  });

  it('pins the public key of the authority, not the certificate', async () => {
    const pki = await createClusterPki({ clusterName: 'demo' });
    expect(caCertHash(pki.cluster.certificatePem)).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(caCertHash(pki.cluster.certificatePem)).not.toBe(caCertHash(pki.etcd.certificatePem));
  });

  it('gives etcd members certificates for their address, both to serve and to call', async () => {
    const pki = await createClusterPki({ clusterName: 'demo' });
    const member = await signEtcdMemberCertificate(pki, { name: 'demo-etcd-1', address: '10.1.1.7' });
    const certificate = new X509Certificate(member.certificatePem);
    expect(certificate.checkIP('10.1.1.7')).toBe('10.1.1.7');
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']);
    expect(certificate.verify(new X509Certificate(pki.etcd.certificatePem).publicKey)).toBe(true);
  });

  it('renders a kubeconfig with everything inline', async () => {
    const pki = await createClusterPki({ clusterName: 'demo' });
    const client = await signClientCertificate(pki, {
      commonName: 'admin',
      organizations: ['system:masters'],
      days: 7,
    });
    const document = parse(
      renderKubeconfig({
        clusterName: 'demo',
        endpoint: 'https://127.20.0.10:6443',
        caPem: pki.cluster.certificatePem,
        userName: 'admin',
        ...client,
      }),
    );
    expect(document['current-context']).toBe('admin@demo');
    expect(document.clusters[0].cluster.server).toBe('https://127.20.0.10:6443');
    expect(Buffer.from(document.users[0].user['client-key-data'], 'base64').toString()).toBe(client.keyPem);
  });
});
