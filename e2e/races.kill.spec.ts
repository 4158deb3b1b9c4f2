/** Every pair of operations, asked of two servers at once. `npm run races` runs two hundred rounds. */
import { apiOf, expect, freshName, stack, test } from './support/fixtures';
import { allPairs, Racecourse } from './support/races';

/** Within this two requests count as sent at once. */
const mostApartMs = 20;

test.afterAll(async () => {
  await stack.cron.resume();
});

test('of any two operations on two servers exactly one enters, and the other leaves nothing but its refusal', async ({
  records,
}) => {
  test.setTimeout(300_000);
  const around = {
    records,
    simulator: stack.simulator,
    apis: [apiOf(1, records), apiOf(2, records)] as const,
    environment: stack.environment,
  };
  const course = new Racecourse(around, freshName);
  // Passes would bring a cluster in Alert back before the race.
  await stack.cron.pause();
  const rounds = [];
  for (const [index, pair] of allPairs.entries()) {
    rounds.push(await course.run(pair, (index * 7) % mostApartMs));
  }
  expect(rounds).toHaveLength(allPairs.length);
  console.info(`${rounds.length} races: ${summary(rounds.map(({ loserCode }) => loserCode))}`);
});

function summary(codes: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + 1);
  return [...counts].map(([code, count]) => `${count} ${code}`).join(', ');
}
