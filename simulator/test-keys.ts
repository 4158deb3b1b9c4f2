/** For tests: authorities and certificates. */
import { generateKeyPairSync, randomUUID, webcrypto } from 'node:crypto';

// The certificate library asks for decorators' metadata at its import; none of what it declares is needed here.
const reflect = Reflect as { getMetadata?: unknown; defineMetadata?: unknown; getOwnMetadata?: unknown };
reflect.getMetadata ??= () => undefined;
reflect.getOwnMetadata ??= () => undefined;
reflect.defineMetadata ??= () => undefined;

const x509 = await import('@peculiar/x509');
x509.cryptoProvider.set(webcrypto as unknown as Crypto);

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

export interface Pair {
  keys: CryptoKeyPair;
  certificatePem: string;
  keyPem: string;
}

async function pemOf(key: CryptoKey): Promise<string> {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key as webcrypto.CryptoKey));
  return `-----BEGIN PRIVATE KEY-----\n${der.toString('base64').replace(/(.{64})/g, '$1\n')}\n-----END PRIVATE KEY-----\n`;
}

async function newKeys(): Promise<CryptoKeyPair> {
  return (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as CryptoKeyPair;
}

export async function newAuthority(name: string): Promise<Pair> {
  const keys = await newKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: randomUUID().replaceAll('-', ''),
    name: `CN=${name}`,
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + 3_600_000),
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
    ],
  });
  return { keys, certificatePem: certificate.toString('pem'), keyPem: await pemOf(keys.privateKey) };
}

export async function newClientCertificate(authority: Pair, subject: string): Promise<{ cert: string; key: string }> {
  const keys = await newKeys();
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: randomUUID().replaceAll('-', ''),
    subject,
    issuer: new x509.X509Certificate(authority.certificatePem).subject,
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + 3_600_000),
    publicKey: keys.publicKey,
    signingKey: authority.keys.privateKey,
    signingAlgorithm: algorithm,
    extensions: [new x509.ExtendedKeyUsageExtension(['1.3.6.1.5.5.7.3.2'])],
  });
  return { cert: certificate.toString('pem'), key: await pemOf(keys.privateKey) };
}

export interface TestKeys {
  ca: Pair;
  frontProxy: Pair;
  etcd: Pair;
  serviceAccount: { publicPem: string; privatePem: string };
}

export async function newClusterKeys(): Promise<TestKeys> {
  const pair = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const [ca, frontProxy, etcd] = await Promise.all([
    newAuthority('kubernetes'),
    newAuthority('front-proxy'),
    newAuthority('etcd'),
  ]);
  return { ca, frontProxy, etcd, serviceAccount: { publicPem: pair.publicKey, privatePem: pair.privateKey } };
}
