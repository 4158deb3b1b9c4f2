import type { Metadata } from 'next';
import { requireActor } from '@/auth/session';
import { RecoveryView } from '@/components/recovery/recovery-view';

export const metadata: Metadata = { title: 'Recovery' };

export default async function RecoveryPage() {
  const actor = await requireActor('viewer');
  const role = actor.kind === 'user' || actor.kind === 'token' ? actor.role : 'viewer';
  return <RecoveryView role={role} />;
}
