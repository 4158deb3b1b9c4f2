import { recordNetwork } from '@/db/facts';
import { clusterNamePrefix, clusterTags, networkName } from '@/infrastructure/bootstrap/names';
import type { Step } from '../step';
import { StepFailed } from '../step';
import { required } from './nodes-of';

export const apiPort = 6443;

/** The cluster's network: looked for by its derived name, made when it is not there. A network that was given must exist. */
export const network: Step = async (step) => {
  const { cluster } = await step.facts();
  const { cloud, settings } = step.worker;
  if (!cluster.networkOwned) {
    const id = required(cluster.networkId, 'The network');
    const [given] = await cloud.listNetworks(step.call, { id });
    if (given === undefined) throw new StepFailed('the network it was to use is gone.');
    return { networkId: id };
  }
  const made = await cloud.ensureNetwork(step.call, {
    name: networkName(cluster),
    zoneId: cluster.zoneId,
    offeringId: required(cluster.networkOfferingId, 'The network offering'),
    tags: clusterTags(settings.installationId, cluster.id),
  });
  await step.write((tx) => recordNetwork(tx, cluster.id, { networkId: made.id }));
  await step.report(`Network ${made.name}`);
  return { networkId: made.id };
};

export const address: Step = async (step) => {
  const { cluster } = await step.facts();
  const found = await step.worker.cloud.ensureAddress(step.call, {
    networkId: required(cluster.networkId, 'The network'),
    knownId: cluster.addressId,
    tags: clusterTags(step.worker.settings.installationId, cluster.id),
  });
  await step.write((tx) => recordNetwork(tx, cluster.id, { addressId: found.id, publicIp: found.ip }));
  await step.report(`Public address ${found.ip}`);
  return { addressId: found.id, ip: found.ip };
};

export const firewall: Step = async (step) => {
  const { cluster } = await step.facts();
  const addressId = required(cluster.addressId, 'The public address');
  await step.worker.cloud.ensureFirewallRule(step.call, { addressId, port: apiPort, cidrs: ['0.0.0.0/0'] });
  return undefined;
};

export const egress: Step = async (step) => {
  const { cluster } = await step.facts();
  await step.worker.cloud.ensureEgress(step.call, { networkId: required(cluster.networkId, 'The network') });
  return undefined;
};

/** The rule names the public port; everything later reads it from there. */
export const loadBalancer: Step = async (step) => {
  const { cluster } = await step.facts();
  const rule = await step.worker.cloud.ensureLoadBalancerRule(step.call, {
    name: `${clusterNamePrefix(cluster)}api`,
    addressId: required(cluster.addressId, 'The public address'),
    networkId: required(cluster.networkId, 'The network'),
    publicPort: apiPort,
    privatePort: apiPort,
  });
  await step.write((tx) => recordNetwork(tx, cluster.id, { loadBalancerRuleId: rule.id, publicPort: rule.publicPort }));
  return { ruleId: rule.id, publicPort: rule.publicPort };
};

/** Repeatable in the cloud; another operation may need it, so no failure takes it back (ENT-4). */
export const templatePermission: Step = async (step) => {
  const { cluster } = await step.facts();
  const { cloud } = step.worker;
  const template = (await cloud.listTemplates(step.call)).find((each) => each.id === cluster.templateId);
  if (template === undefined) throw new StepFailed('the template is not in the cloud any more.');
  if (!template.isPublic) await cloud.ensureTemplatePermission(step.call, cluster.templateId);
  return undefined;
};

/** Our own network goes with everything in it; of a network that was given only our rules and our address go. */
export const releaseNetwork: Step = async (step) => {
  const { cluster } = await step.facts();
  const { cloud } = step.worker;
  if (cluster.networkOwned) {
    const known = cluster.networkId;
    const found =
      known === null ? await cloud.listNetworks(step.call, { zoneId: cluster.zoneId, name: networkName(cluster) }) : [];
    for (const networkId of known === null ? found.map((each) => each.id) : [known])
      await cloud.deleteNetwork(step.call, networkId);
  } else if (cluster.addressId !== null) {
    await cloud.deleteRules(step.call, { addressId: cluster.addressId, port: apiPort });
    await cloud.releaseAddress(step.call, cluster.addressId);
  }
  await step.write((tx) =>
    recordNetwork(tx, cluster.id, {
      networkId: null,
      addressId: null,
      publicIp: null,
      publicPort: null,
      loadBalancerRuleId: null,
      endpoint: null,
    }),
  );
  return undefined;
};
