/** Certificates: EC P-256 authorities and what they sign. Node's own crypto cannot issue X.509, so @peculiar/x509 does. */
import './reflect-metadata';
import * as x509 from '@peculiar/x509';
import { z } from 'zod';

export const keyPairSchema = z.object({ certificatePem: z.string().min(1), keyPem: z.string().min(1) });
/** A certificate with its private key (PKCS #8), both PEM. */
export type CertificateAndKey = z.infer<typeof keyPairSchema>;

const signing = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const dayMs = 86_400_000;
/** A node's clock may be behind ours when it first looks at a certificate. */
const clockSkewMs = 3_600_000;

export interface Subject {
  readonly commonName: string;
  readonly organizations?: readonly string[];
}

export interface LeafRequest extends Subject {
  readonly days: number;
  readonly use: readonly ('client' | 'server')[];
  readonly addresses?: readonly string[];
  readonly hostNames?: readonly string[];
}

/** A self-signed certificate authority, as kubeadm would make it but with an EC key (user data has a size limit, C.6). */
export async function createAuthority(subject: Subject & { days: number }): Promise<CertificateAndKey> {
  const keys = await crypto.subtle.generateKey(signing, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: distinguishedName(subject),
    keys,
    signingAlgorithm: signing,
    ...validity(subject.days),
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(
        x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.keyEncipherment | x509.KeyUsageFlags.keyCertSign,
        true,
      ),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificatePem: withNewline(certificate.toString('pem')), keyPem: await privateKeyPem(keys.privateKey) };
}

/** A certificate with a new key of its own, signed by `authority`. */
export async function issueLeaf(authority: CertificateAndKey, request: LeafRequest): Promise<CertificateAndKey> {
  const keys = await crypto.subtle.generateKey(signing, true, ['sign', 'verify']);
  const issuer = new x509.X509Certificate(authority.certificatePem);
  const names: x509.JsonGeneralNames = [
    ...(request.addresses ?? []).map((value) => ({ type: 'ip' as const, value })),
    ...(request.hostNames ?? []).map((value) => ({ type: 'dns' as const, value })),
  ];
  const certificate = await x509.X509CertificateGenerator.create({
    subject: distinguishedName(request),
    issuer: issuer.subjectName,
    publicKey: keys.publicKey,
    signingKey: await importPrivateKey(authority.keyPem),
    signingAlgorithm: signing,
    ...validity(request.days),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.keyEncipherment, true),
      new x509.ExtendedKeyUsageExtension(
        request.use.map((use) =>
          use === 'client' ? x509.ExtendedKeyUsage.clientAuth : x509.ExtendedKeyUsage.serverAuth,
        ),
      ),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
      ...(names.length > 0 ? [new x509.SubjectAlternativeNameExtension(names)] : []),
    ],
  });
  return { certificatePem: withNewline(certificate.toString('pem')), keyPem: await privateKeyPem(keys.privateKey) };
}

/** An EC key pair without certificate, for service account tokens. */
export async function createKeyPair(): Promise<{ publicKeyPem: string; keyPem: string }> {
  const keys = await crypto.subtle.generateKey(signing, true, ['sign', 'verify']);
  const spki = Buffer.from(await crypto.subtle.exportKey('spki', keys.publicKey));
  return { publicKeyPem: pem('PUBLIC KEY', spki), keyPem: await privateKeyPem(keys.privateKey) };
}

function validity(days: number): { notBefore: Date; notAfter: Date } {
  const now = Date.now();
  return { notBefore: new Date(now - clockSkewMs), notAfter: new Date(now + days * dayMs) };
}

/** Organizations first, as kubeadm writes them. One relative name each, so that Go reads every one as a group. */
function distinguishedName(subject: Subject): x509.JsonName {
  return [
    ...(subject.organizations ?? []).map((organization) => ({ O: [organization] })),
    { CN: [subject.commonName] },
  ];
}

async function importPrivateKey(keyPem: string): Promise<CryptoKey> {
  const der = Buffer.from(keyPem.replace(/-----[A-Z ]+-----|\s/g, ''), 'base64');
  return crypto.subtle.importKey('pkcs8', der, signing, false, ['sign']);
}

async function privateKeyPem(key: CryptoKey): Promise<string> {
  return pem('PRIVATE KEY', Buffer.from(await crypto.subtle.exportKey('pkcs8', key)));
}

function pem(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}

function withNewline(text: string): string {
  return `${text.trimEnd()}\n`;
}
