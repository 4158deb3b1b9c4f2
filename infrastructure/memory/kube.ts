import type { ConnectKubernetes } from '@/infrastructure/kubernetes';
import { createDoor } from './door';
import { nodeMethods } from './kube-nodes';
import { objectMethods } from './kube-objects';
import type { World } from './world';

export function memoryConnect(world: World): ConnectKubernetes {
  return (access) => {
    const door = createDoor(world, access);
    const about = (method: string) => ({ method, subject: access.endpoint });
    return {
      isReady: async (call) => {
        try {
          return await door.read(call, about('isReady'), () => true);
        } catch (error) {
          if (call.signal.aborted) throw error;
          return false;
        }
      },
      serverVersion: (call) => door.read(call, about('serverVersion'), (cluster) => cluster.version),
      ...nodeMethods(door),
      ...objectMethods(door),
      close: () => undefined,
    };
  };
}
