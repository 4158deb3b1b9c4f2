import { afterAll, describe, test } from 'vitest';
import { openLanes } from '../support/lanes';
import { deleteWhatIsLeft, faultedOperations } from './operations';
import { casesOf, strike } from './strike';

/** The operations that change a cluster; apart from the others, so that two processes share the work. */
const titles = ['create', 'start', 'stop', 'delete'];
const operations = faultedOperations.filter(({ title }) => !titles.includes(title));
const cases = await casesOf(operations);
const lanes = openLanes(5);

describe.concurrent.each(operations)('$title', (operation) => {
  const own = cases.filter((each) => each.operation === operation);
  test.each(own.map((each) => [each.title, each] as const))('HOLD-6 I13 I16 %s', { timeout: 120_000 }, (_title, each) =>
    lanes.use((place) => strike(place, each)),
  );
});

afterAll(() => deleteWhatIsLeft(lanes), 60_000);
