import { afterAll, beforeAll } from 'vitest';
import { Lane } from './lane';
import type { TestServer } from './server';

/** What a case works with: a lane to itself, a server that lives through it, and the cluster that an earlier case left, if it is well. */
export interface Place {
  readonly lane: Lane;
  readonly server: TestServer;
  clusterId: string | undefined;
}

export interface Lanes {
  /** Runs a case on a free lane; a lane whose case failed is not used again. */
  use(run: (place: Place) => Promise<void>): Promise<void>;
  all(): readonly Place[];
}

/** As many cases of a file run at a time as it has lanes (vitest itself runs five concurrent tests at most). */
export function openLanes(count: number): Lanes {
  const free: Place[] = [];
  const waiting: ((place: Place) => void)[] = [];
  const opened: Place[] = [];

  async function open(): Promise<Place> {
    const lane = await Lane.open();
    const [server] = lane.servers;
    if (server === undefined) throw new Error('a lane opens with a server');
    const place = { lane, server, clusterId: undefined };
    opened.push(place);
    return place;
  }

  function give(place: Place): void {
    const next = waiting.shift();
    if (next === undefined) free.push(place);
    else next(place);
  }

  beforeAll(async () => {
    for (let number = 0; number < count; number += 1) free.push(await open());
  }, 120_000);
  afterAll(async () => {
    for (const { lane } of opened) await lane.close();
  }, 60_000);

  return {
    all: () => free,
    use: async (run) => {
      const place = free.pop() ?? (await new Promise<Place>((resolve) => waiting.push(resolve)));
      try {
        await run(place);
        give(place);
      } catch (error) {
        give(await open());
        throw error;
      }
    },
  };
}
