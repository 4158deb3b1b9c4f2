/** The CSI driver and the snapshot definitions, as newer ISOs bring them. */

export const csiManifest = `apiVersion: v1
kind: ServiceAccount
metadata:
  name: cloudstack-csi-controller
  namespace: kube-system
---
apiVersion: v1
kind: ServiceAccount
metadata:
  name: cloudstack-csi-node
  namespace: kube-system
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: cloudstack-csi-controller-role
rules:
- apiGroups: [""]
  resources: ["persistentvolumes", "persistentvolumeclaims", "nodes", "events"]
  verbs: ["*"]
- apiGroups: ["storage.k8s.io"]
  resources: ["storageclasses", "csinodes", "volumeattachments", "volumeattachments/status"]
  verbs: ["*"]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: cloudstack-csi-controller-binding
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: cloudstack-csi-controller-role
subjects:
- kind: ServiceAccount
  name: cloudstack-csi-controller
  namespace: kube-system
---
apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata:
  name: csi.cloudstack.apache.org
spec:
  attachRequired: true
  podInfoOnMount: false
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: cloudstack-csi-controller
  namespace: kube-system
  labels:
    app.kubernetes.io/name: cloudstack-csi-controller
spec:
  replicas: 2
  selector:
    matchLabels:
      app.kubernetes.io/name: cloudstack-csi-controller
  template:
    metadata:
      labels:
        app.kubernetes.io/name: cloudstack-csi-controller
    spec:
      serviceAccountName: cloudstack-csi-controller
      tolerations:
      - key: node-role.kubernetes.io/control-plane
        effect: NoSchedule
      containers:
      - name: cloudstack-csi-controller
        image: ghcr.io/cloudstack/cloudstack-csi-driver:3.0.0
        imagePullPolicy: IfNotPresent
        args: ["controller", "--cloudstack-config=/etc/cloudstack-csi-driver/cloud-config"]
        volumeMounts:
        - name: cloudstack-conf
          mountPath: /etc/cloudstack-csi-driver
      volumes:
      - name: cloudstack-conf
        secret:
          secretName: cloudstack-secret
---
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: cloudstack-csi-node
  namespace: kube-system
  labels:
    app.kubernetes.io/name: cloudstack-csi-node
spec:
  selector:
    matchLabels:
      app.kubernetes.io/name: cloudstack-csi-node
  template:
    metadata:
      labels:
        app.kubernetes.io/name: cloudstack-csi-node
    spec:
      serviceAccountName: cloudstack-csi-node
      tolerations:
      - operator: Exists
      containers:
      - name: cloudstack-csi-node
        image: ghcr.io/cloudstack/cloudstack-csi-driver:3.0.0
        imagePullPolicy: IfNotPresent
        args: ["node", "--cloudstack-config=/etc/cloudstack-csi-driver/cloud-config"]
        securityContext:
          privileged: true
        volumeMounts:
        - name: cloudstack-conf
          mountPath: /etc/cloudstack-csi-driver
      volumes:
      - name: cloudstack-conf
        secret:
          secretName: cloudstack-secret
`;

function definition(plural: string, kind: string, scope: 'Namespaced' | 'Cluster'): string {
  const singular = kind.toLowerCase();
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: ${plural}.snapshot.storage.k8s.io
spec:
  group: snapshot.storage.k8s.io
  scope: ${scope}
  names:
    plural: ${plural}
    singular: ${singular}
    kind: ${kind}
    listKind: ${kind}List
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        x-kubernetes-preserve-unknown-fields: true
`;
}

export const snapshotDefinitions = [
  definition('volumesnapshotclasses', 'VolumeSnapshotClass', 'Cluster'),
  definition('volumesnapshotcontents', 'VolumeSnapshotContent', 'Cluster'),
  definition('volumesnapshots', 'VolumeSnapshot', 'Namespaced'),
].join('---\n');
