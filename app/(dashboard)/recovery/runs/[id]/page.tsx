import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { requireActor } from '@/auth/session';
import { PassView } from '@/components/recovery/pass-view';

export async function generateMetadata({ params }: { params: Promise<{ id: string }> }): Promise<Metadata> {
  return { title: `Pass ${(await params).id.slice(0, 15)} · Recovery` };
}

export default async function PassPage({ params }: { params: Promise<{ id: string }> }) {
  await requireActor('viewer');
  const { id } = await params;
  if (!/^[1-9][0-9]{0,14}$/.test(id)) notFound();
  return <PassView id={id} />;
}
