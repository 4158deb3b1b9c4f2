import { expect, it } from 'vitest';
import { keysOf, resync } from './live-keys';

it.each([
  ['cluster c1', [['cluster', 'c1'], ['clusters']]],
  ['job j1 c1', [['job', 'j1'], ['jobs'], ['cluster', 'c1'], ['clusters']]],
  ['server s1', [['server', 's1'], ['servers'], ['recovery']]],
  ['pass 7', [['pass', '7'], ['passes'], ['recovery']]],
  ['event c1', [['events'], ['cluster', 'c1']]],
])('"%s" makes out of date what shows it', (text, keys) => {
  expect(keysOf(text)).toEqual(expect.arrayContaining(keys));
});

it('leaves other clusters alone', () => {
  expect(keysOf('job j1 c1')).not.toContainEqual(['cluster', 'c2']);
  expect(keysOf('event')).not.toContainEqual(['cluster', '']);
});

it('takes a resync, and what it does not know, as "anything may have changed"', () => {
  expect(keysOf(resync)).toBeNull();
  expect(keysOf('comet 9')).toBeNull();
});
