import 'server-only';
import { env } from '@/env';
import { runtime } from '@/runtime';
import { createScanner, type ScannerContext } from '@/scanner/context';

const slot = Symbol.for('holdfast.scanner');
type Global = typeof globalThis & { [slot]?: ScannerContext };

/** This process's scanner. On `globalThis`, like the runtime: routes and actions are separate bundles of one process. */
export function scanner(): ScannerContext {
  const holder = globalThis as Global;
  const { worker } = runtime();
  const before = holder[slot];
  if (before?.worker === worker) return before;
  const settings = env();
  const made = createScanner(worker, {
    beatMs: settings.HOLDFAST_BEAT_MS,
    leaseMs: settings.HOLDFAST_LEASE_MS,
    retentionHours: settings.HOLDFAST_JOB_RETENTION_HOURS,
  });
  // The start of a server completes its worker; passes that run already are remembered.
  holder[slot] =
    before === undefined ? made : { ...made, runningPasses: before.runningPasses, pruning: before.pruning };
  return holder[slot];
}
