/**
 * The life of one server: it registers, beats, notices that it has departed, fails jobs that nobody runs, and says goodbye.
 * Beats use a small pool of their own, so that load cannot starve them.
 */
import { randomUUID } from 'node:crypto';
import { type DatabaseHandle, openDatabase } from '@/db/client';
import { recordEvent } from '@/db/events';
import { departServer, prepareBeat, registerServer } from '@/db/servers';
import { scannerActor } from '@/domain/actor';
import type { Clock, Lease } from './context';
import { patiently } from './patience';
import type { RunningJobs } from './running-jobs';

export interface ServerLifeOptions {
  readonly databaseUrl: string;
  readonly name: string;
  readonly url: string;
  readonly version: string;
  readonly beatMs: number;
  readonly leaseMs: number;
  readonly clock: Clock;
  readonly running: RunningJobs;
  readonly log: (level: 'info' | 'warning' | 'error', text: string, detail?: Record<string, unknown>) => void;
}

export interface ServerLife {
  readonly lease: Lease;
  /** Registers and begins to beat; resolves when the first registration is written. */
  start(): Promise<void>;
  /** Runs after each good beat; for the self-check. */
  onBeat(check: () => Promise<void>): void;
  /** Accepts nothing more, waits for step boundaries, says goodbye. */
  stop(limitMs: number): Promise<void>;
}

/** A boot stops trusting its lease this part of it before the database would call it over. */
const marginPart = 0.25;

export function createServerLife(options: ServerLifeOptions): ServerLife {
  const { clock, running, log, beatMs, leaseMs } = options;
  const own: DatabaseHandle = openDatabase(options.databaseUrl, { max: 2, name: `${options.name} heartbeat` });
  const beat = prepareBeat(own.db, leaseMs);
  const ended = new AbortController();
  const waiting = new Set<() => void>();
  const checks: (() => Promise<void>)[] = [];
  let serverId: string = randomUUID();
  let trustedUntil = 0;
  let loop: Promise<void> = Promise.resolve();

  function renewed(beganAt: number): void {
    trustedUntil = beganAt + leaseMs * (1 - marginPart);
    for (const resolve of waiting) resolve();
    waiting.clear();
  }

  async function register(): Promise<void> {
    const beganAt = clock.now();
    await patiently(clock, ended.signal, () =>
      own.db.transaction(async (tx) => {
        const { name, url, version } = options;
        await registerServer(tx, { id: serverId, name, url, version, pid: process.pid, leaseMs });
        await recordEvent(tx, {
          type: 'server.started',
          result: 'ok',
          actor: { ...scannerActor, id: serverId, name },
          serverId,
          summary: `${name} started (version ${version})`,
        });
      }),
    );
    renewed(beganAt);
  }

  /** Departed is final for a boot: its work is aborted, and what goes on is another boot with another id. */
  async function comeBackAsNewBoot(): Promise<void> {
    log('warning', 'this boot was declared departed; its work is aborted and it registers as a new boot', { serverId });
    running.abortAll('departed');
    trustedUntil = 0;
    serverId = randomUUID();
    await register();
  }

  async function beatOnce(): Promise<void> {
    const beganAt = clock.now();
    try {
      const answer = await beat(serverId);
      if (answer === 'gone') return await comeBackAsNewBoot();
      renewed(beganAt);
      for (const check of checks) await check();
    } catch (error) {
      if (!ended.signal.aborted)
        log('warning', 'a heartbeat failed', { error: error instanceof Error ? error.message : String(error) });
    }
  }

  async function beatUntilEnded(): Promise<void> {
    while (!ended.signal.aborted) {
      await clock.sleep(beatMs, ended.signal).catch(() => undefined);
      if (!ended.signal.aborted) await beatOnce();
    }
  }

  return {
    lease: {
      get serverId() {
        return serverId;
      },
      serverName: options.name,
      whenTrusted: (signal) => {
        if (clock.now() < trustedUntil) return Promise.resolve();
        return new Promise((resolve, reject) => {
          if (signal.aborted) return reject(signal.reason);
          waiting.add(resolve);
          signal.addEventListener(
            'abort',
            () => {
              waiting.delete(resolve);
              reject(signal.reason);
            },
            { once: true },
          );
        });
      },
    },
    start: async () => {
      await register();
      loop = beatUntilEnded();
    },
    onBeat: (check) => {
      checks.push(check);
    },
    stop: async (limitMs) => {
      const { left } = await running.stopAll(limitMs);
      if (left.length > 0)
        log('warning', 'jobs did not reach a step boundary in time; a pass will recover them', { jobs: left });
      ended.abort();
      await loop;
      await departServer(own.db, serverId, 'goodbye').catch((error: unknown) =>
        log('warning', 'could not say goodbye', { error: String(error) }),
      );
      await own.close();
    },
  };
}
