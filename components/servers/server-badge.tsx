import { Badge } from '@/components/ui/badge';
import type { ServerRow } from '@/db/queries/servers';
import { serverLook } from './server-look';

export function ServerBadge({ server }: { server: Pick<ServerRow, 'state' | 'departure' | 'isDraining'> }) {
  const look = serverLook(server);
  return (
    <span className="inline-flex flex-wrap gap-1">
      <Badge tone={look.tone} icon={look.icon} title={look.meaning}>
        {look.label}
      </Badge>
      {server.isDraining && server.state === 'silent' ? <Badge tone="violet">Draining</Badge> : null}
    </span>
  );
}
