import type { StepName } from '@/domain/plan-steps';
import { prepareAccess } from '../prepare-access';
import type { Step } from '../step';
import { deployAutoscaler, recordAutoscale } from './autoscale';
import { kubeconfig, markNodes, waitApi, waitNodes } from './cluster-api';
import { importNode, releaseNode } from './external';
import { deleteVolumes, detachIso, forgetSecrets, installComponentStep } from './finish';
import {
  assignNode,
  buildNode,
  destroyNode,
  planNodesStep,
  startNode,
  stopNode,
  sweepMachines,
  verifyStopped,
} from './machines';
import { address, egress, firewall, loadBalancer, network, releaseNetwork, templatePermission } from './network';
import { drainStep, recordOffering, recordSize, removeNode, resizeNode } from './scale';
import { attachTargetIso, recordVersion, uncordonNode, upgradeNode } from './upgrade';

/** Every step's code. A step without code, or code without a step, does not compile. */
export const steps = {
  'prepare-access': prepareAccess,
  'plan-nodes': planNodesStep,
  network,
  address,
  firewall,
  egress,
  'load-balancer': loadBalancer,
  'template-permission': templatePermission,
  'build-node': buildNode,
  'start-node': startNode,
  'assign-node': assignNode,
  'wait-api': waitApi,
  'wait-nodes': waitNodes,
  'detach-iso': detachIso,
  kubeconfig,
  'mark-nodes': markNodes,
  'install-component': installComponentStep,
  'stop-node': stopNode,
  'verify-stopped': verifyStopped,
  'delete-volumes': deleteVolumes,
  'destroy-node': destroyNode,
  'sweep-machines': sweepMachines,
  'release-network': releaseNetwork,
  'forget-secrets': forgetSecrets,
  'record-size': recordSize,
  'record-offering': recordOffering,
  'resize-node': resizeNode,
  'drain-node': drainStep,
  'remove-node': removeNode,
  'attach-iso': attachTargetIso,
  'upgrade-node': upgradeNode,
  'uncordon-node': uncordonNode,
  'record-version': recordVersion,
  'deploy-autoscaler': deployAutoscaler,
  'record-autoscale': recordAutoscale,
  'import-node': importNode,
  'release-node': releaseNode,
} as const satisfies Record<StepName, Step>;
