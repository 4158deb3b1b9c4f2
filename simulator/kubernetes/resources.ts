/** Which kinds the API serves. Kinds of custom resource definitions join while the definition exists. */
export interface Resource {
  group: string;
  version: string;
  plural: string;
  singular: string;
  kind: string;
  namespaced: boolean;
  shortNames: readonly string[];
  subresources: readonly string[];
  /** Custom resources know no strategic merge. */
  custom: boolean;
}

type Row = readonly [
  group: string,
  version: string,
  plural: string,
  kind: string,
  namespaced: boolean,
  shortNames?: string,
  subresources?: string,
];

const rows: readonly Row[] = [
  ['', 'v1', 'namespaces', 'Namespace', false, 'ns', 'status,finalize'],
  ['', 'v1', 'nodes', 'Node', false, 'no', 'status'],
  ['', 'v1', 'pods', 'Pod', true, 'po', 'status,log,eviction,binding'],
  ['', 'v1', 'secrets', 'Secret', true],
  ['', 'v1', 'configmaps', 'ConfigMap', true, 'cm'],
  ['', 'v1', 'services', 'Service', true, 'svc', 'status'],
  ['', 'v1', 'endpoints', 'Endpoints', true, 'ep'],
  ['', 'v1', 'serviceaccounts', 'ServiceAccount', true, 'sa'],
  ['', 'v1', 'events', 'Event', true, 'ev'],
  ['', 'v1', 'persistentvolumes', 'PersistentVolume', false, 'pv', 'status'],
  ['', 'v1', 'persistentvolumeclaims', 'PersistentVolumeClaim', true, 'pvc', 'status'],
  ['', 'v1', 'resourcequotas', 'ResourceQuota', true, 'quota', 'status'],
  ['', 'v1', 'limitranges', 'LimitRange', true, 'limits'],
  ['', 'v1', 'replicationcontrollers', 'ReplicationController', true, 'rc', 'status,scale'],
  ['apps', 'v1', 'deployments', 'Deployment', true, 'deploy', 'status,scale'],
  ['apps', 'v1', 'replicasets', 'ReplicaSet', true, 'rs', 'status,scale'],
  ['apps', 'v1', 'statefulsets', 'StatefulSet', true, 'sts', 'status,scale'],
  ['apps', 'v1', 'daemonsets', 'DaemonSet', true, 'ds', 'status'],
  ['batch', 'v1', 'jobs', 'Job', true, '', 'status'],
  ['batch', 'v1', 'cronjobs', 'CronJob', true, 'cj', 'status'],
  ['policy', 'v1', 'poddisruptionbudgets', 'PodDisruptionBudget', true, 'pdb', 'status'],
  ['rbac.authorization.k8s.io', 'v1', 'clusterroles', 'ClusterRole', false],
  ['rbac.authorization.k8s.io', 'v1', 'clusterrolebindings', 'ClusterRoleBinding', false],
  ['rbac.authorization.k8s.io', 'v1', 'roles', 'Role', true],
  ['rbac.authorization.k8s.io', 'v1', 'rolebindings', 'RoleBinding', true],
  ['storage.k8s.io', 'v1', 'csidrivers', 'CSIDriver', false],
  ['storage.k8s.io', 'v1', 'csinodes', 'CSINode', false],
  ['storage.k8s.io', 'v1', 'storageclasses', 'StorageClass', false, 'sc'],
  ['storage.k8s.io', 'v1', 'volumeattachments', 'VolumeAttachment', false, '', 'status'],
  ['apiextensions.k8s.io', 'v1', 'customresourcedefinitions', 'CustomResourceDefinition', false, 'crd', 'status'],
  ['coordination.k8s.io', 'v1', 'leases', 'Lease', true],
  ['networking.k8s.io', 'v1', 'networkpolicies', 'NetworkPolicy', true, 'netpol'],
  ['networking.k8s.io', 'v1', 'ingresses', 'Ingress', true, 'ing', 'status'],
  ['scheduling.k8s.io', 'v1', 'priorityclasses', 'PriorityClass', false, 'pc'],
  ['discovery.k8s.io', 'v1', 'endpointslices', 'EndpointSlice', true],
  ['autoscaling', 'v2', 'horizontalpodautoscalers', 'HorizontalPodAutoscaler', true, 'hpa', 'status'],
];

function split(text: string | undefined): string[] {
  return text === undefined || text === '' ? [] : text.split(',');
}

/** The kinds that every cluster serves. */
export const builtInResources: readonly Resource[] = rows.map(
  ([group, version, plural, kind, namespaced, shortNames, subresources]) => ({
    group,
    version,
    plural,
    singular: kind.toLowerCase(),
    kind,
    namespaced,
    shortNames: split(shortNames),
    subresources: split(subresources),
    custom: false,
  }),
);

/** `policy/v1beta1` bodies and paths still reach the same objects, as on servers that served both. */
export const otherVersions: Readonly<Record<string, string>> = {
  'policy/v1beta1': 'v1',
  'batch/v1beta1': 'v1',
  'autoscaling/v1': 'v2',
};

export const resourceKey = (resource: { group: string; plural: string }): string =>
  `${resource.group}/${resource.plural}`;

export const apiVersionOf = (resource: { group: string; version: string }): string =>
  resource.group === '' ? resource.version : `${resource.group}/${resource.version}`;

function builtIn(plural: string): Resource {
  const found = builtInResources.find((resource) => resource.plural === plural);
  if (found === undefined) throw new Error(`no such built-in resource: ${plural}`);
  return found;
}

export const namespaces = builtIn('namespaces');
export const nodes = builtIn('nodes');
export const pods = builtIn('pods');
export const secrets = builtIn('secrets');
export const configMaps = builtIn('configmaps');
export const serviceAccounts = builtIn('serviceaccounts');
export const services = builtIn('services');
export const persistentVolumes = builtIn('persistentvolumes');
export const claims = builtIn('persistentvolumeclaims');
export const deployments = builtIn('deployments');
export const replicaSets = builtIn('replicasets');
export const statefulSets = builtIn('statefulsets');
export const daemonSets = builtIn('daemonsets');
export const jobs = builtIn('jobs');
export const budgets = builtIn('poddisruptionbudgets');
export const csiDrivers = builtIn('csidrivers');
export const storageClasses = builtIn('storageclasses');
export const customDefinitions = builtIn('customresourcedefinitions');
