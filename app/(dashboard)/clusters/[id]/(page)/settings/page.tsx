import { ClusterSettings } from '@/components/clusters/cluster-settings';

export default async function ClusterSettingsPage({ params }: { params: Promise<{ id: string }> }) {
  return <ClusterSettings id={(await params).id} />;
}
