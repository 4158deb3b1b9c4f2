/*
 * components/events — the audit trail: who asked what, when, and what came of it; with the receipts of refusals.
 */
import {
  Ban,
  CircleCheck,
  CircleHelp,
  CircleX,
  Clock,
  EyeOff,
  Gauge,
  KeyRound,
  type LucideIcon,
  ScanLine,
  UserRound,
} from 'lucide-react';
import type { Tone } from '@/components/ui/class-names';
import type { EventResult, EventType } from '@/domain/events';
import type { EventRange } from './event-search';

export const typeWords: Readonly<Record<EventType, string>> = {
  'cluster.transition': 'State changed',
  'cluster.settings': 'Settings changed',
  'cluster.foreign-write': 'Foreign write',
  'cluster.protection': 'Protection changed',
  'cluster.kubeconfig': 'Kubeconfig downloaded',
  'operation.accepted': 'Operation accepted',
  'operation.refused': 'Operation refused',
  'operation.ended': 'Operation ended',
  'operation.late-result': 'Late result',
  'operation.withdrawn': 'Operation withdrawn',
  'operation.ended-by-admin': 'Ended by an admin',
  'recovery.decision': 'Recovery decision',
  'recovery.pass': 'Recovery pass',
  'machine.swept': 'Machine swept',
  'server.started': 'Server started',
  'server.departed': 'Server departed',
  'server.drain': 'Server drained',
  'sign-in': 'Sign-in',
  'user.changed': 'User changed',
  'version.changed': 'Version changed',
  'settings.changed': 'Settings changed',
};

/** A type that a newer server wrote keeps its own name. */
export function typeLabel(type: string): string {
  return (typeWords as Readonly<Record<string, string>>)[type] ?? type;
}

export const resultLooks: Readonly<Record<EventResult, { label: string; tone: Tone; icon: LucideIcon }>> = {
  ok: { label: 'OK', tone: 'success', icon: CircleCheck },
  refused: { label: 'Refused', tone: 'warning', icon: Ban },
  failed: { label: 'Failed', tone: 'danger', icon: CircleX },
  ignored: { label: 'Ignored', tone: 'violet', icon: EyeOff },
};

const actorLooks: Readonly<Record<string, { label: string; icon: LucideIcon }>> = {
  user: { label: 'User', icon: UserRound },
  token: { label: 'API token', icon: KeyRound },
  autoscaler: { label: 'Autoscaler', icon: Gauge },
  scanner: { label: 'Scanner', icon: ScanLine },
  cron: { label: 'Cron', icon: Clock },
};

export function actorLook(kind: string): { label: string; icon: LucideIcon } {
  return actorLooks[kind] ?? { label: 'Unknown writer', icon: CircleHelp };
}

export const rangeWords: Readonly<Record<EventRange, string>> = {
  '1h': 'Last hour',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
};
