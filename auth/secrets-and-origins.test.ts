import { describe, expect, it } from 'vitest';
import { isCronRequest } from './cron-secret';
import { deriveKey } from './keys';
import { isTrustedOrigin, trustedOrigins } from './origins';
import { safeNextPath } from './request-headers';
import { testSettings } from './test-accounts';
import { hashToken, newToken } from './tokens';

const bearer = (token: string) => new Headers({ authorization: `Bearer ${token}` });

describe('the cron secret', () => {
  it('is closed while it is unset or empty', () => {
    expect(isCronRequest(bearer('anything'), null)).toBe(false);
    expect(isCronRequest(bearer(''), '')).toBe(false);
    expect(isCronRequest(bearer('null'), null)).toBe(false);
  });
  it('opens to the very secret only', () => {
    expect(isCronRequest(bearer('0123456789abcdef'), '0123456789abcdef')).toBe(true);
    expect(isCronRequest(bearer('0123456789abcdeF'), '0123456789abcdef')).toBe(false);
    expect(isCronRequest(bearer('0123456789abcdef0'), '0123456789abcdef')).toBe(false);
    expect(isCronRequest(new Headers({ authorization: '0123456789abcdef' }), '0123456789abcdef')).toBe(false);
    expect(isCronRequest(new Headers(), '0123456789abcdef')).toBe(false);
  });
});

describe('tokens and keys', () => {
  it('a token has 256 bits and its hash does not hold it', () => {
    const token = newToken();
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(hashToken(token)).toMatch(/^[0-9a-f]{64}$/);
    expect(hashToken(token)).not.toContain(token);
  });
  it('each purpose and each secret has a key of its own, the same each time', () => {
    const secret = Buffer.alloc(32, 1).toString('base64');
    expect(deriveKey('session', secret)).toEqual(deriveKey('session', secret));
    expect(deriveKey('session', secret)).not.toEqual(deriveKey('server-actions', secret));
    expect(deriveKey('session', secret)).not.toEqual(deriveKey('session', Buffer.alloc(32, 2).toString('base64')));
    expect(deriveKey('session', secret)).toHaveLength(32);
  });
});

describe('origins', () => {
  const asked = (origin: string | null, host = '127.0.0.1:3000') =>
    isTrustedOrigin(testSettings, new Headers({ host, ...(origin === null ? {} : { origin }) }));
  it('loopback goes by both of its names, and listed origins are added', () => {
    const origins = trustedOrigins({
      ...testSettings,
      HOLDFAST_TRUSTED_ORIGINS: 'https://ops.example.org/, http://127.0.0.1:3001',
    });
    expect(origins).toEqual([
      'http://127.0.0.1:3000',
      'http://localhost:3000',
      'https://ops.example.org',
      'http://127.0.0.1:3001',
      'http://localhost:3001',
    ]);
  });
  it('another server on this machine is trusted when it is the one asked', () => {
    expect(asked('http://127.0.0.1:3002', '127.0.0.1:3002')).toBe(true);
    expect(asked('http://127.0.0.1:3002', '127.0.0.1:3000')).toBe(false);
  });
  it.each([
    null,
    'null',
    'http://evil.example',
    'http://127.0.0.1:3000.evil.example',
    'http://localhost@evil.example',
    '',
  ])('refuses the origin %s', (origin) => expect(asked(origin)).toBe(false));
  it('another host is not trusted even when it is the one asked', () => {
    expect(asked('http://evil.example', 'evil.example')).toBe(false);
  });
});

describe('the page to go on to', () => {
  it.each(['/clusters?state=Alert', '/jobs/1#log', '/'])('keeps %s', (path) => expect(safeNextPath(path)).toBe(path));
  it.each([
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    '/\t/evil.example',
    '/sign-in?next=/',
    undefined,
    7,
    '',
  ])('goes home instead of to %s', (path) => expect(safeNextPath(path)).toBe('/'));
});
