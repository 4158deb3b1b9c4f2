export const nodeRoles = ['control', 'worker', 'etcd'] as const;
export type NodeRole = (typeof nodeRoles)[number];

/** `planned`: intent stored, machine may or may not exist. `built`: its machine exists. `ready`: seen Ready. `removing`: being taken away. */
export const nodeStages = ['planned', 'built', 'ready', 'removing'] as const;
export type NodeStage = (typeof nodeStages)[number];

/** A node as recorded; plans are made from these, never from the kind of operation alone. */
export interface NodeFact {
  readonly id: string;
  readonly role: NodeRole;
  readonly ordinal: number;
  readonly generation: number;
  readonly name: string;
  readonly machineId: string | null;
  readonly stage: NodeStage;
  readonly offeringId: string;
  readonly version: string | null;
  readonly ip: string | null;
  readonly external: boolean;
  readonly manualUpgrade: boolean;
}
