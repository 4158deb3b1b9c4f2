'use client';
/** Asks for a health check. Shown once the server offers the action. */
export function CheckNow(_: { clusterId: string }) {
  return null;
}
