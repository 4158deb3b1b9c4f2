/** Which tables there are and what each holds. */
import type { FaultRecord } from './fault-model';
import type { JsonObject } from './json';
import type { Cluster, Machine } from './machine-model';
import type {
  Address,
  AffinityGroup,
  BalancerRule,
  FirewallRule,
  ForwardingRule,
  Host,
  Iso,
  Job,
  KeyPair,
  Network,
  NetworkOffering,
  Offering,
  Tag,
  Template,
  Volume,
  Zone,
} from './model';

/** Ids that once named something: they still resolve in the parameter layer. */
export interface Removed {
  id: string;
  kind: string;
}

export interface Setting {
  id: string;
  value: JsonObject;
}

/** One Kubernetes object; `id` is `<cluster>|<group>/<resource>|<namespace>|<name>`. */
export interface StoredObject {
  id: string;
  object: JsonObject;
}

export interface Tables {
  zone: Zone;
  offering: Offering;
  template: Template;
  iso: Iso;
  networkOffering: NetworkOffering;
  host: Host;
  network: Network;
  address: Address;
  firewall: FirewallRule;
  balancer: BalancerRule;
  forwarding: ForwardingRule;
  machine: Machine;
  cluster: Cluster;
  job: Job;
  tag: Tag;
  keyPair: KeyPair;
  affinityGroup: AffinityGroup;
  volume: Volume;
  removed: Removed;
  setting: Setting;
  object: StoredObject;
  fault: FaultRecord;
}
