import { listVersions } from '@/db/catalogue';
import type { ClusterFacts } from '@/db/clusters';
import { isJoining } from '@/domain/plan-steps';
import type { UpgradeInput } from '@/domain/requests';
import { canUpgrade } from '@/domain/versions';
import { catalogue } from './catalogue';
import { type ChangeCheck, type Checked, invalid } from './check-outcome';

export async function checkUpgrade(
  worker: Checked,
  facts: ClusterFacts,
  input: UpgradeInput,
  signal: AbortSignal,
): Promise<ChangeCheck> {
  const field = 'kubernetesVersionId';
  const version = (await listVersions(worker.db)).find((each) => each.id === input.kubernetesVersionId);
  if (version === undefined) return invalid(field, 'There is no such version.');
  if (!version.enabled) return invalid(field, `Version ${version.version} is disabled.`);
  if (version.zoneId !== null && version.zoneId !== facts.cluster.zoneId)
    return invalid(field, `Version ${version.version} is offered in another zone only.`);
  const behind = facts.nodes.filter(
    (node) => node.role !== 'etcd' && !node.manualUpgrade && !isJoining(node) && node.version !== version.version,
  );
  if (version.version === facts.version && behind.length === 0) {
    return { kind: 'nothing-to-do', message: `Every node has ${version.version} already.` };
  }
  const answer = canUpgrade(facts.version, version.version);
  if (answer !== 'fine' && behind.length === 0) return invalid(field, answer);
  if (answer !== 'fine' && version.version !== facts.version) return invalid(field, answer);
  const { isos } = await catalogue(worker, signal);
  const iso = isos.find((each) => each.id === version.isoId);
  if (iso === undefined || !iso.ready) return invalid(field, `The binaries ISO of ${version.version} is not ready.`);
  return { kind: 'fine', direction: 'up' };
}
