import { ClusterEvents } from '@/components/clusters/cluster-tabs';

export default async function ClusterEventsPage({ params }: { params: Promise<{ id: string }> }) {
  return <ClusterEvents id={(await params).id} />;
}
