import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Sealer } from './context';

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/** Authenticated encryption under one 32-byte key: iv, tag, text. `open` throws when the key or the bytes are not the right ones. */
export function createSealer(key: Buffer): Sealer {
  return {
    seal: (plain) => {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv(algorithm, key, iv);
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), text]);
    },
    open: (sealed) => {
      const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, ivBytes));
      decipher.setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
      return Buffer.concat([decipher.update(sealed.subarray(ivBytes + tagBytes)), decipher.final()]).toString('utf8');
    },
  };
}
