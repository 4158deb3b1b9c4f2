/** The manifests on a binaries ISO. Composed here; names and shapes are those that the real components use. */
import type { Iso } from '@/simulator/core/model';
import { dashboardManifest, networkManifest } from './manifests-addons';
import { autoscalerManifest, providerManifest } from './manifests-cloud';
import { csiManifest, snapshotDefinitions } from './manifests-csi';

/** By file name, as the setup script publishes them in the ConfigMap `holdfast-manifests`. Older ISOs have no CSI files. */
export function isoManifests(iso: Iso): Record<string, string> {
  const manifests: Record<string, string> = {
    'network.yaml': networkManifest,
    'dashboard.yaml': dashboardManifest,
    'provider.yaml': providerManifest,
    'autoscaler.yaml': autoscalerManifest,
  };
  if (iso.hasCsi) {
    manifests['manifest.yaml'] = csiManifest;
    manifests['snapshot-crds.yaml'] = snapshotDefinitions;
  }
  return manifests;
}
