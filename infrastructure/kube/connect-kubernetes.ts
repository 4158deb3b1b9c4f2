/*
 * kube/ — the driver over the Kubernetes API, on @kubernetes/client-node (reference/cloud.md section D). One connection pool for
 * each cluster that is opened; nothing is remembered between clusters.
 */
import { VersionApi } from '@kubernetes/client-node';
import type { ConnectKubernetes, KubernetesApi } from '@/infrastructure/kubernetes';
import { type Connection, openConnection } from './connection';
import { UnknownKind } from './errors';
import { evictionMethod, isCode } from './evictions';
import { nodeMethods } from './nodes';
import { type Discovery, PlainObjects } from './plain-objects';

export const connectKubernetes: ConnectKubernetes = (access) => {
  const connection = openConnection(access);
  return {
    ...healthMethods(connection),
    ...nodeMethods(connection),
    ...evictionMethod(connection),
    ...objectMethods(connection),
    close: () => connection.close(),
  };
};

function healthMethods(connection: Connection): Pick<KubernetesApi, 'isReady' | 'serverVersion'> {
  return {
    isReady: async (call) => {
      try {
        const said = await connection.read(call, (configuration) =>
          new PlainObjects(configuration, {}).readText('/readyz'),
        );
        return said.trim() === 'ok';
      } catch (error) {
        if (call.signal.aborted) throw error;
        return false;
      }
    },
    serverVersion: (call) =>
      connection.read(call, async (configuration) =>
        (await new VersionApi(configuration).getCode()).gitVersion.replace(/^v/, ''),
      ),
  };
}

function objectMethods(connection: Connection): Pick<KubernetesApi, 'apply' | 'get' | 'list' | 'delete'> {
  const discovery: Discovery = {};
  return {
    apply: (call, object) =>
      connection.change(call, (configuration) => new PlainObjects(configuration, discovery).applyPlain(object)),
    get: (call, reference) =>
      connection.read(call, (configuration) =>
        new PlainObjects(configuration, discovery).readPlain(reference).catch((error: unknown) => absent(error, null)),
      ),
    list: (call, query) =>
      connection.read(call, (configuration) =>
        // A kind that the cluster does not know has no objects; a component may not be installed.
        new PlainObjects(configuration, discovery).listPlain(query).catch((error: unknown) => {
          if (error instanceof UnknownKind) return [];
          throw error;
        }),
      ),
    delete: (call, reference) =>
      connection.change(call, (configuration) =>
        new PlainObjects(configuration, discovery)
          .deletePlain(reference)
          .catch((error: unknown) => absent(error, undefined)),
      ),
  };
}

function absent<T>(error: unknown, answer: T): T {
  if (error instanceof UnknownKind || isCode(error, 404)) return answer;
  throw error;
}
