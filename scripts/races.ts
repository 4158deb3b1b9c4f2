/**
 * `npm run races [-- --rounds 200]`: two operations asked of two servers within 20 ms, over all pairs, each round on a real cluster whose
 * winner runs to its end. Prints what became of the losers; exit code 1 when a promise was broken. Starts and ends a product of its own.
 */
import { parseArgs } from 'node:util';
import { printTable } from '../e2e/support/figures';
import { type OwnStack, withOwnStack } from '../e2e/support/own-stack';
import { allPairs, type Pair, Racecourse, type Round } from '../e2e/support/races';

const mostApartMs = 20;
const settings = {
  HOLDFAST_BEAT_MS: '500',
  HOLDFAST_LEASE_MS: '5000',
  HOLDFAST_POLL_MS: '50',
  HOLDFAST_CRON_PERIOD_MS: '1000',
};

const wordsOf = ({ kinds }: Pair) => `${kinds[0]} + ${kinds[1]}`;

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { rounds: { type: 'string', default: '200' } } });
  const count = Number(values.rounds);
  const rounds: Round[] = [];
  const broken: string[] = [];
  const options = { name: 'races', serverCount: 2, settings, speed: 0.01, subnet: '127.42', fastDisk: true };
  await withOwnStack(options, async (own) => {
    // Passes would bring a cluster in Alert back before its race.
    await own.stack.cron.pause();
    let course = courseOf(own);
    for (let round = 0; round < count; round += 1) {
      const pair = pairOf(round);
      try {
        rounds.push(await course.run(pair, Math.floor(Math.random() * (mostApartMs + 1))));
      } catch (error) {
        broken.push(`round ${round + 1}, ${wordsOf(pair)}: ${error instanceof Error ? error.message : String(error)}`);
        process.stdout.write(`${broken.at(-1)}\n`);
        course = courseOf(own);
      }
      if ((round + 1) % 20 === 0) process.stdout.write(`${round + 1} of ${count} races\n`);
    }
  });
  report(rounds, broken);
}

let named = 0;

/** A new one after a broken promise, so that the next race begins on a cluster of its own. */
function courseOf({ stack, records, apis }: OwnStack): Racecourse {
  const [first, second] = apis;
  if (first === undefined || second === undefined) throw new Error('two servers are needed');
  const around = {
    records,
    simulator: stack.simulator,
    apis: [first, second] as const,
    environment: stack.environment,
  };
  return new Racecourse(around, (what) => {
    named += 1;
    return `${what}-${named}`;
  });
}

/** All pairs in turn; from one turn to the next the other one goes first. */
function pairOf(round: number): Pair {
  const pair = allPairs[round % allPairs.length];
  if (pair === undefined) throw new Error('no pair');
  const isTurned = Math.floor(round / allPairs.length) % 2 === 1;
  return isTurned ? { ...pair, kinds: [pair.kinds[1], pair.kinds[0]] } : pair;
}

function report(rounds: readonly Round[], broken: readonly string[]): void {
  const byPair = groupByPair(rounds);
  const part = (of: readonly Round[], test: (round: Round) => boolean) => String(of.filter(test).length);
  printTable(
    ['pair', 'races', 'sent first won', 'sent second won', 'lost at the write', 'refused at the read', 'waits'],
    [...byPair].map(([words, of]) => [
      words,
      String(of.length),
      part(of, ({ entered }) => entered === 0),
      part(of, ({ entered }) => entered === 1),
      part(of, ({ loserCode }) => loserCode === 'conflict'),
      part(of, ({ loserCode }) => loserCode === 'refused'),
      part(of, ({ loserCode }) => loserCode === 'waits'),
    ]),
  );
  process.stdout.write(`
${rounds.length} races on two servers, both requests within ${mostApartMs} ms: exactly one entered each time,
the loser was told who won, and left its refusal event and no call to the cloud. ${broken.length} broken promises.
`);
  process.exitCode = broken.length === 0 ? 0 : 1;
}

function groupByPair(rounds: readonly Round[]): Map<string, Round[]> {
  const groups = new Map<string, Round[]>();
  for (const round of rounds) {
    const words = [...round.pair.kinds].sort().join(' + ');
    groups.set(words, [...(groups.get(words) ?? []), round]);
  }
  return groups;
}

await main();
