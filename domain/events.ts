export const eventTypes = [
  'cluster.transition',
  'cluster.settings',
  'cluster.foreign-write',
  'cluster.protection',
  'cluster.kubeconfig',
  'operation.accepted',
  'operation.refused',
  'operation.ended',
  'operation.late-result',
  'operation.withdrawn',
  'operation.ended-by-admin',
  'recovery.decision',
  'recovery.pass',
  'machine.swept',
  'server.started',
  'server.departed',
  'server.drain',
  'sign-in',
  'user.changed',
  'version.changed',
  'settings.changed',
] as const;
export type EventType = (typeof eventTypes)[number];

export const eventResults = ['ok', 'refused', 'failed', 'ignored'] as const;
export type EventResult = (typeof eventResults)[number];
