import { ClusterOverview } from '@/components/clusters/cluster-overview';

export default async function ClusterPage({ params }: { params: Promise<{ id: string }> }) {
  return <ClusterOverview id={(await params).id} />;
}
