/** Just enough DER to write an X.509 certificate. */

function lengthBytes(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest >>= 8) bytes.unshift(rest & 0xff);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}

function tagged(tag: number, ...contents: readonly Buffer[]): Buffer {
  const body = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag]), lengthBytes(body.length), body]);
}

export const sequence = (...contents: readonly Buffer[]): Buffer => tagged(0x30, ...contents);
export const set = (...contents: readonly Buffer[]): Buffer => tagged(0x31, ...contents);
export const octets = (content: Buffer): Buffer => tagged(0x04, content);
export const utf8 = (text: string): Buffer => tagged(0x0c, Buffer.from(text, 'utf8'));
export const trueValue = (): Buffer => Buffer.from([0x01, 0x01, 0xff]);

/** Context-specific, constructed. */
export const explicit = (number: number, content: Buffer): Buffer => tagged(0xa0 | number, content);
/** Context-specific, primitive. */
export const implicit = (number: number, content: Buffer): Buffer => tagged(0x80 | number, content);

/** A positive integer given as its bytes. */
export function integer(bytes: Buffer): Buffer {
  const first = bytes[0] ?? 0;
  return tagged(0x02, first >= 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes);
}

export function bits(content: Buffer, unused = 0): Buffer {
  return tagged(0x03, Buffer.from([unused]), content);
}

export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const part of rest) {
    const digits = [part & 0x7f];
    for (let left = part >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80);
    bytes.push(...digits);
  }
  return tagged(0x06, Buffer.from(bytes));
}

/** UTCTime: years 1950 to 2049. */
export function time(date: Date): Buffer {
  const text = date.toISOString().replace(/[-:T]/g, '').slice(2, 14);
  return tagged(0x17, Buffer.from(`${text}Z`, 'ascii'));
}

/** What follows `-----BEGIN …` decoded; a PEM text may hold one block here. */
export function fromPem(pem: string): Buffer {
  return Buffer.from(pem.replace(/-----[^-]+-----/g, '').replace(/\s/g, ''), 'base64');
}

export function toPem(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}

/** The raw contents of the element at the start, and what follows it. */
export function readElement(der: Buffer): { whole: Buffer; content: Buffer; rest: Buffer; tag: number } {
  const first = der[1] ?? 0;
  const extra = first < 0x80 ? 0 : first & 0x7f;
  const length = extra === 0 ? first : der.readUIntBE(2, extra);
  const start = 2 + extra;
  return {
    tag: der[0] ?? 0,
    whole: der.subarray(0, start + length),
    content: der.subarray(start, start + length),
    rest: der.subarray(start + length),
  };
}
