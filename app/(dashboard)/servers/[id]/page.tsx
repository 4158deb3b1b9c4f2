import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { z } from 'zod';
import { requireActor } from '@/auth/session';
import { ServerView } from '@/components/servers/server-view';

export const metadata: Metadata = { title: 'Server' };

export default async function ServerPage({ params }: { params: Promise<{ id: string }> }) {
  const actor = await requireActor('viewer');
  const id = z.uuid().safeParse((await params).id);
  if (!id.success) notFound();
  const role = actor.kind === 'user' || actor.kind === 'token' ? actor.role : 'viewer';
  return <ServerView id={id.data} role={role} />;
}
