import { ClusterHistory } from '@/components/clusters/cluster-tabs';

export default async function ClusterHistoryPage({ params }: { params: Promise<{ id: string }> }) {
  return <ClusterHistory id={(await params).id} />;
}
