/** CloudStack's request signature, both ways: the driver signs with it, the autoscaler's facade verifies with it. Pure. */
import { createHmac } from 'node:crypto';

/** Names as sent, values as plain strings. */
export type Parameters = Readonly<Record<string, string>>;

/** As Java's URLEncoder with `+` made `%20`: leaves `A–Z a–z 0–9 . - * _`, so `~ ! ' ( )` are escaped too (A.2). */
export function encodeValue(value: string): string {
  return encodeURIComponent(value).replace(
    /[!'()~]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** The text under the signature: sorted by raw name in code units, names not encoded, then lower case as a whole. */
export function textToSign(parameters: Parameters): string {
  const names = Object.keys(parameters).sort(byCodeUnits);
  return names
    .map((name) => `${name}=${encodeValue(parameters[name] ?? '')}`)
    .join('&')
    .toLowerCase();
}

export function sign(parameters: Parameters, secretKey: string): string {
  return createHmac('sha1', secretKey).update(textToSign(parameters), 'utf8').digest('base64');
}

/** A query string or a form body with its signature. */
export function signedForm(parameters: Parameters, secretKey: string): string {
  const signed = { ...parameters, signature: sign(parameters, secretKey) };
  return Object.entries(signed)
    .map(([name, value]) => `${encodeValue(name)}=${encodeValue(value)}`)
    .join('&');
}

/** `yyyy-MM-ddTHH:mm:ss+0000`, the one spelling that every version takes. */
export function expiryTime(at: Date): string {
  return at.toISOString().replace(/\.\d{3}Z$/, '+0000');
}

/** When a signature ends by its `expires`, in the spellings that CloudStack takes (A.2); null: this is no time. */
export function parseExpiry(text: string): Date | null {
  const match = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(Z|[+-]\d{2}:?\d{2})$/.exec(text);
  if (match === null) return null;
  const [, time = '', zone = ''] = match;
  const at = new Date(`${time}${zone.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')}`);
  return Number.isNaN(at.getTime()) ? null : at;
}

function byCodeUnits(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
