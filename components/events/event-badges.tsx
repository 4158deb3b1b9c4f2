'use client';
import { Badge } from '@/components/ui/badge';
import type { EventRow } from '@/db/queries/events';
import { actorLook, resultLooks } from './event-words';

export function ResultBadge({ result }: { result: EventRow['result'] }) {
  const look = resultLooks[result];
  return (
    <Badge tone={look.tone} icon={look.icon}>
      {look.label}
    </Badge>
  );
}

/** Who acted, with what kind of actor it is. */
export function ActorName({ kind, name }: { kind: string; name: string }) {
  const { icon: Icon, label } = actorLook(kind);
  return (
    <span className="inline-flex max-w-40 min-w-0 items-center gap-1.5" title={`${label} ${name}`}>
      <Icon aria-hidden className="size-3.5 shrink-0 text-faint" />
      <span className="sr-only">{label} </span>
      <span className="truncate">{name}</span>
    </span>
  );
}
