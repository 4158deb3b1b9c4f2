import 'server-only';
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { addressHeader, peerHeader } from './request-headers';
import { newToken, sameSecret } from './tokens';

const slot = Symbol.for('holdfast.peer-seal');
type Global = typeof globalThis & { [slot]?: string };

/**
 * Notes the socket's address of every request in a header that only this process can make: Next keeps an
 * X-Forwarded-For that a client forged. Call it once at start; later calls do nothing.
 */
export function watchPeerAddresses(): void {
  const holder = globalThis as Global;
  if (holder[slot] !== undefined) return;
  const seal = newToken();
  holder[slot] = seal;
  subscribe('http.server.request.start', (message) => {
    const { request } = message as { request: IncomingMessage };
    request.headers[peerHeader] = `${seal} ${request.socket.remoteAddress ?? ''}`;
  });
}

/**
 * The address to count by, or null when it is not known. X-Forwarded-For is believed only when the socket belongs to
 * one of `trustedProxies` (comma separated addresses or ranges), and then only back to the first hop that does not.
 */
export function clientAddress(headers: Headers, trustedProxies: string): string | null {
  const peer = peerAddress(headers);
  if (peer === null) return null;
  const proxies = proxyList(trustedProxies);
  const hops = (headers.get('x-forwarded-for') ?? '').split(',').map((text) => plainAddress(text.trim()));
  let address = peer;
  while (proxies.check(address, familyOf(address))) {
    const before = hops.pop();
    if (before === undefined || isIP(before) === 0) break;
    address = before;
  }
  return address;
}

/** A copy of the headers in which better-auth finds the address that we worked out, never one a client sent. */
export function withClientAddress(headers: Headers, trustedProxies: string): Headers {
  const copy = new Headers(headers);
  copy.delete(addressHeader);
  const address = clientAddress(headers, trustedProxies);
  if (address !== null) copy.set(addressHeader, address);
  return copy;
}

function peerAddress(headers: Headers): string | null {
  const seal = (globalThis as Global)[slot];
  const [given, address] = (headers.get(peerHeader) ?? '').split(' ');
  if (seal === undefined || given === undefined || address === undefined || isIP(address) === 0) return null;
  return sameSecret(given, seal) ? plainAddress(address) : null;
}

/** An IPv4 address is the same one when a dual-stack socket reports it as IPv6. */
function plainAddress(address: string): string {
  return address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '');
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

function proxyList(text: string): BlockList {
  const list = new BlockList();
  for (const entry of text.split(',').map((part) => part.trim())) {
    const [address, prefix] = entry.split('/');
    if (address === undefined || isIP(address) === 0) continue;
    if (prefix === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(prefix), familyOf(address));
  }
  return list;
}
