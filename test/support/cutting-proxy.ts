import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface CuttingProxy {
  /** The database's address, by way of this proxy. */
  readonly url: string;
  readonly cuts: () => number;
  close(): Promise<void>;
}

/**
 * Between a pool and PostgreSQL. For each COMMIT that goes by it asks `cut`; if so, the commit is carried out and the connection breaks
 * before its answer: nobody at this end can know whether it went through.
 */
export async function cuttingProxy(databaseUrl: string, cut: () => boolean): Promise<CuttingProxy> {
  const target = new URL(databaseUrl);
  let cuts = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
    }
    client.on('data', (data) => upstream.write(data));
    upstream.on('data', (data) => {
      // The end of a statement, as PostgreSQL tells it: by then the commit is made.
      if (data.includes('COMMIT\0') && cut()) {
        cuts += 1;
        client.destroy();
      } else client.write(data);
    });
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    cuts: () => cuts,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
