/*
 * components/live — one stream a browser, and what it makes out of date. Queries begin with the names used here:
 * ['clusters', …] and ['cluster', id, …], ['jobs', …] and ['job', id, …], ['servers', …] and ['server', id, …], ['passes', …] and
 * ['pass', id, …], ['recovery', …], ['events', …], ['summary'], ['overview'].
 */
import type { QueryKey } from '@tanstack/react-query';

/** Everything may be out of date. */
export const resync = 'resync';

/** The query keys that a message of the stream makes out of date; null: all of them. */
export function keysOf(text: string): readonly QueryKey[] | null {
  const [subject, id = '', clusterId] = text.split(' ');
  switch (subject) {
    case 'cluster':
      return [['cluster', id], ['clusters'], ['summary'], ['overview']];
    case 'job':
      return [
        ['job', id],
        ['jobs'],
        ['servers'],
        ['recovery'],
        ['clusters'],
        ['summary'],
        ['overview'],
        ...(clusterId === undefined ? [] : [['cluster', clusterId]]),
      ];
    case 'server':
      return [['server', id], ['servers'], ['recovery'], ['clusters'], ['summary'], ['overview']];
    case 'pass':
      return [['pass', id], ['passes'], ['recovery'], ['summary'], ['overview']];
    case 'event':
      return [['events'], ['overview'], ...(id === '' ? [] : [['cluster', id]])];
    default:
      return null;
  }
}
