import type { Metadata } from 'next';
import { freshFormOptions } from '@/app/(dashboard)/clusters/form-options';
import { requireActor } from '@/auth/session';
import { CreateClusterForm } from '@/components/clusters/forms/create-form';
import { env } from '@/env';

export const metadata: Metadata = { title: 'New cluster · Clusters' };

export default async function NewClusterPage() {
  await requireActor('operator');
  const options = await freshFormOptions();
  const { HOLDFAST_LEASE_MS: leaseMs, HOLDFAST_CRON_PERIOD_MS: cronPeriodMs } = env();
  return <CreateClusterForm options={options} timing={{ leaseMs, cronPeriodMs }} />;
}
