/** One turn of all controllers. Each looks at what is stored and moves it one step; what it stores makes the next turn. */

import { runAutoscaler } from '@/simulator/kubernetes/autoscaler';
import type { ClusterRuntime } from '@/simulator/kubernetes/cluster-runtime';
import { runDaemonSets } from './daemon-sets';
import { runDeployments } from './deployments';
import { runDisruptionBudgets } from './disruption-budgets';
import { runGarbageCollection } from './garbage-collection';
import { runJobs } from './jobs';
import { runNodes } from './nodes';
import { runPods } from './pods';
import { runReplicaSets } from './replica-sets';
import { runScheduler } from './scheduler';
import { runStatefulSets } from './stateful-sets';
import { runVolumes } from './volumes';

export function runControllers(runtime: ClusterRuntime): void {
  runNodes(runtime);
  runDeployments(runtime);
  runReplicaSets(runtime);
  runStatefulSets(runtime);
  runDaemonSets(runtime);
  runJobs(runtime);
  runScheduler(runtime);
  runPods(runtime);
  runVolumes(runtime);
  runDisruptionBudgets(runtime);
  runGarbageCollection(runtime);
  runAutoscaler(runtime);
}
