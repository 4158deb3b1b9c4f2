import type { Metadata } from 'next';
import { requireActor } from '@/auth/session';
import { LifecycleView } from '@/components/lifecycle/lifecycle-view';

export const metadata: Metadata = { title: 'Lifecycle' };

export default async function LifecyclePage() {
  await requireActor('viewer');
  return <LifecycleView />;
}
