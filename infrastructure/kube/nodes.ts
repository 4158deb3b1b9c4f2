import { type Configuration, CoreV1Api, PatchStrategy, setHeaderOptions, type V1Node } from '@kubernetes/client-node';
import type { KubernetesApi, KubernetesNode } from '@/infrastructure/kubernetes';
import type { Connection } from './connection';
import { isCode } from './evictions';

type NodeMethods = Pick<
  KubernetesApi,
  'listNodes' | 'setUnschedulable' | 'annotateNode' | 'setProviderId' | 'deleteNode'
>;

const pageSize = 500;
const controlPlaneLabel = 'node-role.kubernetes.io/control-plane';
/** The client's default is a JSON patch, which an object is not (D.1). */
const merge = setHeaderOptions('Content-Type', PatchStrategy.MergePatch);
const strategic = setHeaderOptions('Content-Type', PatchStrategy.StrategicMergePatch);

export function nodeMethods(connection: Connection): NodeMethods {
  return {
    listNodes: (call) => connection.read(call, async (configuration) => (await allNodes(configuration)).map(toNode)),
    setUnschedulable: async (call, name, unschedulable) => {
      const body = { spec: { unschedulable: unschedulable ? true : null } };
      await connection.change(call, (configuration) =>
        new CoreV1Api(configuration).patchNode({ name, body }, strategic),
      );
    },
    annotateNode: async (call, name, annotations) => {
      const body = { metadata: { annotations } };
      await connection.change(call, (configuration) => new CoreV1Api(configuration).patchNode({ name, body }, merge));
    },
    setProviderId: async (call, name, providerID) => {
      const read = () => connection.read(call, (configuration) => new CoreV1Api(configuration).readNode({ name }));
      if (((await read()).spec?.providerID ?? '') !== '') return;
      const body = { spec: { providerID } };
      try {
        await connection.change(call, (configuration) => new CoreV1Api(configuration).patchNode({ name, body }, merge));
      } catch (error) {
        // Somebody else was quicker: API servers let nobody change it once it is set.
        if (call.signal.aborted || ((await read()).spec?.providerID ?? '') === '') throw error;
      }
    },
    deleteNode: async (call, name) => {
      await connection.change(call, (configuration) =>
        new CoreV1Api(configuration).deleteNode({ name }).catch((error: unknown) => {
          if (!isCode(error, 404)) throw error;
        }),
      );
    },
  };
}

async function allNodes(configuration: Configuration): Promise<readonly V1Node[]> {
  const api = new CoreV1Api(configuration);
  const found: V1Node[] = [];
  let token: string | undefined;
  do {
    const page = await api.listNode({ limit: pageSize, ...(token === undefined ? {} : { _continue: token }) });
    found.push(...page.items);
    token = page.metadata?._continue;
  } while (token !== undefined && token !== '');
  return found;
}

function toNode(node: V1Node): KubernetesNode {
  const ready = node.status?.conditions?.find((condition) => condition.type === 'Ready');
  return {
    name: node.metadata?.name ?? '',
    ready: ready?.status === 'True',
    unschedulable: node.spec?.unschedulable === true,
    controlPlane: node.metadata?.labels?.[controlPlaneLabel] !== undefined,
    kubeletVersion: (node.status?.nodeInfo?.kubeletVersion ?? '').replace(/^v/, ''),
    systemUuid: (node.status?.nodeInfo?.systemUUID ?? '').toLowerCase(),
    providerId: node.spec?.providerID === undefined || node.spec.providerID === '' ? null : node.spec.providerID,
  };
}
