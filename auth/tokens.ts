import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const tokenBytes = 32;

/** 256 random bits, safe in a URL. */
export function newToken(): string {
  return randomBytes(tokenBytes).toString('base64url');
}

/** What the database keeps of a token. Plain SHA-256 is enough: a token of 256 random bits cannot be guessed from it. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Compares in constant time whatever the lengths are, by comparing digests. */
export function sameSecret(left: string, right: string): boolean {
  return timingSafeEqual(createHash('sha256').update(left).digest(), createHash('sha256').update(right).digest());
}

/** The token of an `Authorization: Bearer` header, or null. */
export function bearerToken(headers: Headers): string | null {
  const match = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(headers.get('authorization') ?? '');
  return match?.[1] ?? null;
}
