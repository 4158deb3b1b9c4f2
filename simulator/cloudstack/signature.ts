/** The signature of a request: what is signed, and whether it is right. */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Encodes a value the way Java's URLEncoder does, with a space as `%20`. */
export function encodeValue(value: string): string {
  return encodeURIComponent(value).replace(
    /[!'()~]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** The text that is signed. Names stay as they were sent and are sorted by code units before anything is lower-cased. */
export function textToSign(parameters: ReadonlyMap<string, string>): string {
  return [...parameters]
    .filter(([name]) => name !== 'signature')
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([name, value]) => `${name}=${encodeValue(value)}`)
    .join('&')
    .toLowerCase();
}

export function signatureOf(parameters: ReadonlyMap<string, string>, secretKey: string): string {
  return createHmac('sha1', secretKey).update(textToSign(parameters)).digest('base64');
}

/** The end of a version 3 signature's validity, or null when it can't be read. */
function expiryOf(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\+\d{4}|\+\d{2}:\d{2}|-\d{2}:?\d{2}|Z)$/.test(text)) return null;
  const parsed = Date.parse(text.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));
  return Number.isNaN(parsed) ? null : parsed;
}

function find(parameters: ReadonlyMap<string, string>, name: string): string | undefined {
  for (const [key, value] of parameters) if (key.toLowerCase() === name) return value;
  return undefined;
}

/** How far ahead an expiry may lie where time stamps are enforced. */
const longestValidityMs = 15 * 60_000;

/**
 * Verifies a signature over the raw names. Version 3 needs an expiry in the future; without a version the expiry is not
 * looked at. With `enforce` (the server setting) version 3 is a must and the expiry may be at most 15 minutes ahead.
 */
export function isSignatureValid(
  parameters: ReadonlyMap<string, string>,
  secretKey: string,
  options: { nowMs: number; enforce: boolean },
): boolean {
  const given = find(parameters, 'signature');
  if (given === undefined) return false;
  const version = find(parameters, 'signatureversion');
  if (options.enforce && version !== '3') return false;
  if (version === '3') {
    const expiry = expiryOf(find(parameters, 'expires') ?? '');
    if (expiry === null || expiry < options.nowMs) return false;
    if (options.enforce && expiry > options.nowMs + longestValidityMs) return false;
  }
  const signed = new Map([...parameters].filter(([name]) => name.toLowerCase() !== 'signature'));
  const expected = Buffer.from(signatureOf(signed, secretKey));
  const actual = Buffer.from(given);
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}
