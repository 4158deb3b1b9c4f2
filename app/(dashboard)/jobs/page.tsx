import type { Metadata } from 'next';
import { requireActor } from '@/auth/session';
import { JobsView } from '@/components/jobs/jobs-view';

export const metadata: Metadata = { title: 'Jobs' };

export default async function JobsPage() {
  await requireActor('viewer');
  return <JobsView />;
}
