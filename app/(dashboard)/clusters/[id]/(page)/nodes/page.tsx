import { ClusterNodes } from '@/components/clusters/cluster-tabs';

export default async function ClusterNodesPage({ params }: { params: Promise<{ id: string }> }) {
  return <ClusterNodes id={(await params).id} />;
}
