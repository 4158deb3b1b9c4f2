import { runtime } from '@/runtime';

export const dynamic = 'force-dynamic';

/** 200 while this server is registered and reaches its database; tells load balancers and `npm run up` nothing else. */
export async function GET(): Promise<Response> {
  const { sql, started, worker } = runtime();
  if (!started || worker.running.stopping) return Response.json({ ready: false }, { status: 503 });
  try {
    await sql`select 1`;
    return Response.json({ ready: true, server: worker.lease.serverName });
  } catch {
    return Response.json({ ready: false }, { status: 503 });
  }
}
