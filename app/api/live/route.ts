import { headers as requestHeaders } from 'next/headers';
import { actorOf } from '@/auth/actor-of';
import { auth } from '@/auth/auth';
import { authorize } from '@/auth/session';
import { refusalStatus } from '@/domain/refusals';
import { isSignedOut } from '@/domain/signed-out';
import { env } from '@/env';
import { runtime } from '@/runtime';
import { deploymentId } from './deployment';
import { hearChanges } from './live-hub';

export const dynamic = 'force-dynamic';

const beatMs = 15_000;
/** A stream outlives its session otherwise. */
const sessionCheckMs = 60_000;

const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/**
 * The live stream (server-sent events). `hello`: which build and server answers. `ids`: what changed. `beat`: the time of this
 * server, every 15 s. `bye`: the session is over.
 */
export async function GET(request: Request): Promise<Response> {
  const authorized = await authorize('viewer');
  if (!authorized.ok) {
    const status = isSignedOut(authorized.refusal) ? 401 : refusalStatus[authorized.refusal.code];
    return Response.json({ refusal: authorized.refusal }, { status });
  }
  const headers = new Headers(await requestHeaders());
  return new Response(stream(request.signal, headers), { headers: streamHeaders });
}

function stream(signal: AbortSignal, headers: Headers): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let end: () => void = () => undefined;
  return new ReadableStream({
    start(controller) {
      const send = (event: string, data: unknown) => {
        controller.enqueue(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`));
      };
      const stopHearing = hearChanges((texts) => send('ids', texts));
      const beat = setInterval(() => {
        controller.enqueue(encoder.encode(': alive\n'));
        send('beat', new Date().toISOString());
      }, beatMs);
      const check = setInterval(() => void closeWhenSignedOut(headers, send, () => end()), sessionCheckMs);
      end = () => {
        stopHearing();
        clearInterval(beat);
        clearInterval(check);
        signal.removeEventListener('abort', end);
        try {
          controller.close();
        } catch {
          // The browser closed it first.
        }
      };
      signal.addEventListener('abort', end);
      controller.enqueue(encoder.encode('retry: 1000\n\n'));
      send('hello', { deployment: deploymentId(), server: env().HOLDFAST_SERVER_NAME, time: new Date().toISOString() });
    },
    cancel: () => end(),
  });
}

async function closeWhenSignedOut(
  headers: Headers,
  send: (event: string, data: unknown) => void,
  end: () => void,
): Promise<void> {
  try {
    if ((await actorOf(headers, { auth: auth(), db: runtime().db })) !== null) return;
    send('bye', 'signed-out');
    end();
  } catch {
    // The database is away: nothing is known about the session, and the stream carries nothing meanwhile either.
  }
}
