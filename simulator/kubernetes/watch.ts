/** Watches: what there is or what has changed since, then every change as it comes. */
import type { ServerResponse } from 'node:http';
import { type JsonObject, textAt } from '@/simulator/core/json';
import type { KubeObject } from './objects';
import { namespaceOf } from './objects';
import type { ApiRequest, Target } from './request';
import { apiVersionOf, resourceKey } from './resources';
import { selectionOf } from './selectors';
import { failure, StatusError } from './status';
import type { Change } from './store';
import { tableOf, wantsTable } from './tables';

const longestSeconds = 1_800;
const bookmarkEveryMs = 30_000;

type Send = (type: string, object: JsonObject) => void;

/** Which event a change is for this watch: an object that enters or leaves the selection is added or deleted. */
function eventOf(change: Change, selected: (object: KubeObject) => boolean): string | null {
  const now = change.type !== 'DELETED' && selected(change.object);
  const before = change.before !== null && selected(change.before);
  if (change.type === 'DELETED') return selected(change.object) ? 'DELETED' : null;
  if (now) return before ? 'MODIFIED' : 'ADDED';
  return before ? 'DELETED' : null;
}

function sendPast(request: ApiRequest, target: Target, selected: (object: KubeObject) => boolean, send: Send): boolean {
  const { store } = request.runtime;
  const since = request.query.get('resourceVersion') ?? '';
  if (since === '' || since === '0') {
    for (const object of store.list(target.resource, target.namespace)) if (selected(object)) send('ADDED', object);
    return true;
  }
  const changes = store.changesAfter(Number(since));
  if (changes === null) {
    send('ERROR', failure(new StatusError(410, `too old resource version: ${since} (${store.version})`)));
    return false;
  }
  for (const change of changes) {
    const type = change.key === resourceKey(target.resource) ? eventOf(change, selected) : null;
    if (type !== null) send(type, change.object);
  }
  return true;
}

/** Streams until the client leaves, the time is up, or the server closes. */
export function answerWatch(request: ApiRequest, target: Target, response: ServerResponse): void {
  const { runtime, query } = request;
  const selection = selectionOf(query);
  const selected = (object: KubeObject) =>
    (target.namespace === '' || namespaceOf(object) === target.namespace) &&
    (target.name === '' || textAt(object, 'metadata', 'name') === target.name) &&
    selection(object);
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-cache, private' });
  // Some clients wait for the headers before they look at anything else.
  response.flushHeaders();
  const table = wantsTable(request.accept);
  const send: Send = (type, object) => {
    const shown =
      table && type !== 'ERROR' && type !== 'BOOKMARK'
        ? tableOf(target.resource, [object], String(runtime.store.version))
        : object;
    response.write(`${JSON.stringify({ type, object: shown })}\n`);
  };
  if (!sendPast(request, target, selected, send)) return void response.end();
  const bookmark = () => {
    const { resource } = target;
    send('BOOKMARK', {
      kind: resource.kind,
      apiVersion: apiVersionOf(resource),
      metadata: { resourceVersion: String(runtime.store.version) },
    });
  };
  const stop = runtime.store.subscribe((change) => {
    const type = change.key === resourceKey(target.resource) ? eventOf(change, selected) : null;
    if (type !== null) send(type, change.object);
  });
  const bookmarks = query.get('allowWatchBookmarks') === 'true' ? setInterval(bookmark, bookmarkEveryMs) : undefined;
  const seconds = Math.min(Number(query.get('timeoutSeconds') ?? longestSeconds) || longestSeconds, longestSeconds);
  // The client counts these seconds on its own clock, so they are real ones.
  const end = setTimeout(() => response.end(), seconds * 1_000);
  response.on('close', () => {
    stop();
    clearInterval(bookmarks);
    clearTimeout(end);
  });
}
