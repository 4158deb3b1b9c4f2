/** Who asks. Stored with every job and event, so that a refusal can name the winner. */
export const roles = ['viewer', 'operator', 'admin'] as const;
export type Role = (typeof roles)[number];

export type Actor =
  | { readonly kind: 'user'; readonly id: string; readonly name: string; readonly role: Role }
  | { readonly kind: 'token'; readonly id: string; readonly name: string; readonly role: Role }
  | { readonly kind: 'autoscaler'; readonly id: string; readonly name: string }
  | { readonly kind: 'scanner'; readonly id: string; readonly name: string }
  | { readonly kind: 'cron'; readonly id: string; readonly name: string };

const rank: Readonly<Record<Role, number>> = { viewer: 0, operator: 1, admin: 2 };

/** Whether this actor may do what needs `role`. The scanner, cron and the autoscaler act as operators. */
export function hasRole(actor: Actor, role: Role): boolean {
  const own: Role = actor.kind === 'user' || actor.kind === 'token' ? actor.role : 'operator';
  return rank[own] >= rank[role];
}

export const scannerActor: Actor = { kind: 'scanner', id: 'scanner', name: 'scanner' };
export const cronActor: Actor = { kind: 'cron', id: 'cron', name: 'cron' };
