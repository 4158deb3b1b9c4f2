/** What a killed `up` left running. Its servers end by themselves when they notice; they may still be finishing a step. */
import { endProcess, isSameProcess } from './lib-process.mjs';

const graceMs = 25_000;

/** @typedef {{ identity?: string, name?: string }} Remembered */

/**
 * @param {{ servers?: Remembered[], cron?: Remembered, simulator?: Remembered } | undefined} facts of the earlier start
 * @param {(text: string) => void} say
 */
export async function endLeftovers(facts, say) {
  if (facts === undefined) return;
  const all = [
    ...(facts.servers ?? []),
    { name: 'the cron caller', ...facts.cron },
    { name: 'the simulated cloud', ...facts.simulator },
  ];
  const alive = all.filter(({ identity }) => identity !== undefined && isSameProcess(identity));
  if (alive.length === 0) return;
  say(`Ending what an earlier start left behind: ${alive.map(({ name }) => name).join(', ')}`);
  await Promise.all(alive.map(({ identity }) => endProcess(Number.parseInt(identity ?? '', 10), graceMs)));
}
