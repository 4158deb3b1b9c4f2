import { Ban, CircleCheck } from 'lucide-react';
import { routes } from '@/components/routes';
import { Badge, Mark } from '@/components/ui/badge';
import { Cell, HeadCell, RowHeadCell, Table, TableBody, TableHead, TableRow } from '@/components/ui/table';
import { TextLink } from '@/components/ui/text-link';
import { Time } from '@/components/ui/time';
import type { VersionListItem } from '@/db/queries/version-list';
import { VersionActs } from './version-acts';
import { isoLooks, minimumText } from './version-words';

export function VersionsTable({ versions }: { versions: readonly VersionListItem[] }) {
  return (
    <Table caption="Kubernetes versions">
      <TableHead>
        <HeadCell>Version</HeadCell>
        <HeadCell>Offered</HeadCell>
        <HeadCell>Binaries ISO</HeadCell>
        <HeadCell>Zone</HeadCell>
        <HeadCell>A node needs</HeadCell>
        <HeadCell>In use by</HeadCell>
        <HeadCell>Added</HeadCell>
        <HeadCell>
          <span className="sr-only">Acts</span>
        </HeadCell>
      </TableHead>
      <TableBody>
        {versions.map((version) => (
          <TableRow key={version.id}>
            <RowHeadCell className="font-medium max-sm:pr-10">{version.version}</RowHeadCell>
            <Cell label="Offered">
              <OfferedBadge isEnabled={version.enabled} />
            </Cell>
            <Cell label="Binaries ISO">
              <IsoCell version={version} />
            </Cell>
            <Cell label="Zone">{zoneText(version)}</Cell>
            <Cell label="A node needs" className="whitespace-nowrap">
              {minimumText(version)}
            </Cell>
            <Cell label="In use by">
              <UseCell version={version} />
            </Cell>
            <Cell label="Added" onPhone="hidden">
              <Time value={version.createdAt} />
            </Cell>
            <Cell align="right" className="py-1 max-sm:absolute max-sm:top-2 max-sm:right-2">
              <VersionActs version={version} />
            </Cell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

function OfferedBadge({ isEnabled }: { isEnabled: boolean }) {
  return isEnabled ? (
    <Badge tone="success" icon={CircleCheck}>
      enabled
    </Badge>
  ) : (
    <Badge icon={Ban}>disabled</Badge>
  );
}

/** Ready is the rule and stays quiet; what is not ready takes the eye. */
function IsoCell({ version }: { version: VersionListItem }) {
  const look = isoLooks[version.isoState];
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <span className="font-mono text-xs wrap-anywhere">{version.isoName}</span>
      {version.isoState === 'ready' ? (
        <span className="flex items-center gap-1.5 text-xs text-faint">
          <Mark tone={look.tone} />
          {look.label}
        </span>
      ) : (
        <Badge tone={look.tone} icon={look.icon} title={look.meaning}>
          {look.label}
        </Badge>
      )}
    </span>
  );
}

function zoneText({ zoneId, zoneName }: VersionListItem) {
  if (zoneId === null) return 'every zone';
  return zoneName ?? <span className="font-mono text-xs wrap-anywhere">{zoneId}</span>;
}

function UseCell({ version: { version, clusterCount } }: { version: VersionListItem }) {
  if (clusterCount === 0) return <span className="text-faint">no cluster</span>;
  return (
    <TextLink href={routes.clustersIn({ version })}>
      {clusterCount} {clusterCount === 1 ? 'cluster' : 'clusters'}
    </TextLink>
  );
}
