/** What a cloud offers to choose from, as forms, checks and the contract with the cloud speak of it. */

export interface Zone {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
}

export interface Offering {
  readonly id: string;
  readonly name: string;
  readonly cpuCount: number;
  /** CPU speed in MHz, 0 where the cloud does not say. */
  readonly cpuSpeedMhz: number;
  readonly memoryMb: number;
  /** Custom offerings (no fixed size) are never offered for clusters. */
  readonly custom: boolean;
}

export interface Template {
  readonly id: string;
  readonly name: string;
  readonly ready: boolean;
  readonly zoneId: string | null;
  readonly forKubernetes: boolean;
  readonly isPublic: boolean;
}

export interface Iso {
  readonly id: string;
  readonly name: string;
  readonly ready: boolean;
  readonly zoneId: string | null;
}

export interface NetworkOffering {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly guestType: string;
  readonly egressAllowed: boolean;
  readonly forVpc: boolean;
  readonly services: readonly string[];
}

export interface Network {
  readonly id: string;
  readonly name: string;
  readonly zoneId: string;
  readonly state: string;
  readonly cidr: string | null;
  readonly egressAllowed: boolean;
}
