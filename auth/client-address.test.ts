import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientAddress, watchPeerAddresses, withClientAddress } from './client-address';

let trusted = '';
const server = createServer((incoming, response) => {
  const headers = new Headers(
    Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]),
  );
  response.end(
    JSON.stringify([clientAddress(headers, trusted), withClientAddress(headers, trusted).get('x-holdfast-address')]),
  );
});

beforeAll(async () => {
  watchPeerAddresses();
  watchPeerAddresses();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => server.close());

function ask(headers: Record<string, string>): Promise<unknown> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const call = request({ port, host: '127.0.0.1', headers }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString())).on('end', () => resolve(JSON.parse(text)));
    });
    call.on('error', reject).end();
  });
}

describe('the address of a client', () => {
  const lies = {
    'x-forwarded-for': '198.51.100.7',
    'x-holdfast-peer': 'seal 198.51.100.7',
    'x-holdfast-address': '198.51.100.7',
  };
  it('is the one of the socket, whatever the client claims', async () => {
    trusted = '';
    expect(await ask(lies)).toEqual(['127.0.0.1', '127.0.0.1']);
  });
  it('is what a trusted proxy says, back to the first hop that is not one', async () => {
    trusted = '127.0.0.1, 10.0.0.0/8';
    expect(await ask({ 'x-forwarded-for': '1.2.3.4, 198.51.100.7, 10.1.1.1' })).toEqual([
      '198.51.100.7',
      '198.51.100.7',
    ]);
    expect(await ask({ 'x-forwarded-for': '1.2.3.4, nonsense' })).toEqual(['127.0.0.1', '127.0.0.1']);
    expect(await ask({})).toEqual(['127.0.0.1', '127.0.0.1']);
  });
});
