import type { Metadata } from 'next';
import { requireActor } from '@/auth/session';
import { EventsView } from '@/components/events/events-view';

export const metadata: Metadata = { title: 'Events' };

export default async function EventsPage() {
  await requireActor('viewer');
  return <EventsView />;
}
