import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { z } from 'zod';
import { requireActor } from '@/auth/session';
import { JobView } from '@/components/jobs/job-view';

export const metadata: Metadata = { title: 'Job' };

export default async function JobPage({ params }: { params: Promise<{ id: string }> }) {
  const actor = await requireActor('viewer');
  const id = z.uuid().safeParse((await params).id);
  if (!id.success) notFound();
  const role = actor.kind === 'user' || actor.kind === 'token' ? actor.role : 'viewer';
  return <JobView id={id.data} role={role} />;
}
