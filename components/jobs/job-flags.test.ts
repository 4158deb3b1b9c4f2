import { describe, expect, it } from 'vitest';
import { jobFlags } from './job-flags';

const at = Date.parse('2026-12-01T12:00:00Z');
const server = {
  id: 's',
  name: 'server-1',
  state: 'up',
  protocol: 2,
  lastBeatAt: '',
  leaseUntil: '',
  isSilent: false,
} as const;
const running = {
  status: 'in_progress',
  clusterId: 'c',
  ownsCluster: true,
  server,
  startedAt: new Date(at - 60_000).toISOString(),
  acceptedAt: new Date(at - 61_000).toISOString(),
  legacyParameters: null,
} as const;
const usual = { p50Ms: 20_000, p95Ms: 30_000, runs: 12 };
const names = (...args: Parameters<typeof jobFlags>) => jobFlags(...args).map((flag) => flag.name);

describe('flags of a job in progress', () => {
  it('a healthy job has none', () => expect(names(running, undefined, at)).toEqual([]));
  it('one that takes longer than 19 of 20 is slow', () => expect(names(running, usual, at)).toEqual(['slow']));
  it('nothing is slow before the page knows the time', () => expect(names(running, usual, null)).toEqual([]));
  it('one whose server departed is orphaned', () =>
    expect(names({ ...running, server: { ...server, state: 'departed' } }, undefined, at)).toEqual(['orphaned']));
  it('one whose server is late is silent', () =>
    expect(names({ ...running, server: { ...server, isSilent: true } }, undefined, at)).toEqual(['silent']));
  it('one whose cluster names another owner is superseded', () =>
    expect(names({ ...running, ownsCluster: false }, undefined, at)).toEqual(['superseded']));
  it('one without a cluster is legacy, and says that it holds back all recovery when it names none', () => {
    const [flag] = jobFlags({ ...running, clusterId: null, ownsCluster: false }, undefined, at);
    expect(flag).toMatchObject({ name: 'legacy', text: expect.stringContaining('holds back all recovery') });
  });
  it('an ended job has none, whatever its server did', () => {
    expect(
      names({ ...running, status: 'failed', server: { ...server, state: 'departed' }, ownsCluster: false }, usual, at),
    ).toEqual([]);
  });
});
