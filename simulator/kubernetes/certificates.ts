/** The API server's certificate, signed with the key that the user data carried. */
import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';
import {
  bits,
  explicit,
  fromPem,
  implicit,
  integer,
  objectIdentifier,
  octets,
  readElement,
  sequence,
  set,
  time,
  toPem,
  trueValue,
  utf8,
} from './der';

const validityMs = 365 * 86_400_000;

function signatureAlgorithm(key: KeyObject): Buffer {
  if (key.asymmetricKeyType === 'ec') return sequence(objectIdentifier('1.2.840.10045.4.3.2'));
  if (key.asymmetricKeyType === 'ed25519') return sequence(objectIdentifier('1.3.101.112'));
  return sequence(objectIdentifier('1.2.840.113549.1.1.11'), Buffer.from([0x05, 0x00]));
}

/** The issuer's name must be its subject, byte for byte; so it is cut out of the certificate instead of being rebuilt. */
function subjectOf(certificatePem: string): Buffer {
  let rest = readElement(readElement(fromPem(certificatePem)).content).content;
  let element = readElement(rest);
  if (element.tag === 0xa0) {
    rest = element.rest;
    element = readElement(rest);
  }
  // serial number, signature, issuer, validity, subject
  for (let skipped = 0; skipped < 4; skipped += 1) {
    rest = element.rest;
    element = readElement(rest);
  }
  return element.whole;
}

function extension(id: string, critical: boolean, value: Buffer): Buffer {
  return sequence(objectIdentifier(id), ...(critical ? [trueValue()] : []), octets(value));
}

function alternativeNames(names: readonly string[]): Buffer {
  return sequence(
    ...names.map((name) => {
      if (isIP(name) === 4) return implicit(7, Buffer.from(name.split('.').map(Number)));
      return implicit(2, Buffer.from(name, 'ascii'));
    }),
  );
}

function extensionsOf(names: readonly string[]): Buffer {
  return sequence(
    extension('2.5.29.15', true, bits(Buffer.from([0xa0]), 5)),
    extension('2.5.29.37', false, sequence(objectIdentifier('1.3.6.1.5.5.7.3.1'))),
    extension('2.5.29.19', true, sequence()),
    extension('2.5.29.17', false, alternativeNames(names)),
  );
}

/** A certificate for these names and its key, valid for a year (`expired`: it ended yesterday). */
export function issueServerCertificate(request: {
  caPem: string;
  caKeyPem: string;
  names: readonly string[];
  expired?: boolean;
}): {
  certificatePem: string;
  keyPem: string;
} {
  const caKey = createPrivateKey(request.caKeyPem);
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const until = request.expired === true ? Date.now() - 86_400_000 : Date.now() + validityMs;
  const name = sequence(set(sequence(objectIdentifier('2.5.4.3'), utf8('kube-apiserver'))));
  const algorithm = signatureAlgorithm(caKey);
  const certificate = sequence(
    explicit(0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([0x01]), randomBytes(15)])),
    algorithm,
    subjectOf(request.caPem),
    sequence(time(new Date(until - validityMs - 3_600_000)), time(new Date(until))),
    name,
    keys.publicKey.export({ type: 'spki', format: 'der' }),
    explicit(3, extensionsOf(request.names)),
  );
  const signature = sign(caKey.asymmetricKeyType === 'ed25519' ? null : 'sha256', certificate, caKey);
  return {
    certificatePem: toPem('CERTIFICATE', sequence(certificate, algorithm, bits(signature))),
    keyPem: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
