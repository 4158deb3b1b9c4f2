/** What Holdfast installs into a cluster through its Kubernetes API. */
export const componentNames = ['dashboard', 'cloud-provider', 'csi-driver', 'autoscaler'] as const;
export type ComponentName = (typeof componentNames)[number];

export interface ComponentFact {
  readonly component: ComponentName;
  readonly wanted: boolean;
  readonly installed: boolean;
}

export const componentLabels: Readonly<Record<ComponentName, string>> = {
  dashboard: 'Dashboard',
  'cloud-provider': 'Cloud provider',
  'csi-driver': 'CSI driver',
  autoscaler: 'Cluster autoscaler',
};
