export const dynamic = 'force-dynamic';

/** 200 while the process answers at all. */
export function GET(): Response {
  return Response.json({ live: true });
}
