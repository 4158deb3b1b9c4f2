import { ClusterJobs } from '@/components/clusters/cluster-tabs';

export default async function ClusterJobsPage({ params }: { params: Promise<{ id: string }> }) {
  return <ClusterJobs id={(await params).id} />;
}
