import type { AuthEnvironment } from '@/env';

const loopbackNames = ['127.0.0.1', 'localhost'] as const;
type OriginSettings = Pick<AuthEnvironment, 'HOLDFAST_PUBLIC_URL' | 'HOLDFAST_TRUSTED_ORIGINS'>;

/** The origins that browsers may come from: the public one, those listed, and for loopback both of its names. */
export function trustedOrigins(settings: OriginSettings): string[] {
  const listed = settings.HOLDFAST_TRUSTED_ORIGINS.split(',').map((text) => text.trim());
  const origins = [settings.HOLDFAST_PUBLIC_URL, ...listed]
    .filter((text) => text !== '')
    .map((text) => new URL(text).origin);
  return [...new Set(origins.flatMap(withLoopbackTwin))];
}

/**
 * Whether a request that changes something may come from `origin`. Beside the trusted ones, a loopback origin that is
 * the very host asked is accepted: several servers on one machine differ by port only. A missing origin is not trusted.
 */
export function isTrustedOrigin(settings: OriginSettings, headers: Headers): boolean {
  const origin = headers.get('origin');
  if (origin === null || !URL.canParse(origin)) return false;
  if (trustedOrigins(settings).includes(origin)) return true;
  const url = new URL(origin);
  return isLoopback(url) && url.origin === origin && url.host === headers.get('host');
}

function withLoopbackTwin(origin: string): string[] {
  const url = new URL(origin);
  if (!isLoopback(url)) return [origin];
  const port = url.port === '' ? '' : `:${url.port}`;
  return loopbackNames.map((name) => `${url.protocol}//${name}${port}`);
}

function isLoopback(url: URL): boolean {
  return loopbackNames.some((name) => name === url.hostname);
}
