import type { Metadata } from 'next';
import { requireActor } from '@/auth/session';
import { ServersView } from '@/components/servers/servers-view';

export const metadata: Metadata = { title: 'Servers' };

export default async function ServersPage() {
  const actor = await requireActor('viewer');
  const role = actor.kind === 'user' || actor.kind === 'token' ? actor.role : 'viewer';
  return <ServersView role={role} />;
}
