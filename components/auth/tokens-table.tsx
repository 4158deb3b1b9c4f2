import { Ban, CircleCheck, Clock } from 'lucide-react';
import type { ReactNode } from 'react';
import { Badge } from '@/components/ui/badge';
import { Cell, HeadCell, RowHeadCell, Table, TableBody, TableHead, TableRow } from '@/components/ui/table';
import { Time } from '@/components/ui/time';
import type { ApiTokenListItem } from '@/db/api-tokens';
import { RevokeToken } from './revoke-token';

export function TokensTable({ tokens }: { tokens: readonly ApiTokenListItem[] }) {
  return (
    <Table caption="API tokens">
      <TableHead>
        <HeadCell>Name</HeadCell>
        <HeadCell>Role</HeadCell>
        <HeadCell>State</HeadCell>
        <HeadCell>Last used</HeadCell>
        <HeadCell>Ends</HeadCell>
        <HeadCell>Made</HeadCell>
        <HeadCell>
          <span className="sr-only">Acts</span>
        </HeadCell>
      </TableHead>
      <TableBody>
        {tokens.map((token) => (
          <TableRow key={token.id}>
            <RowHeadCell className="font-medium max-sm:pr-20">
              <span className="min-w-0 break-words">{token.name}</span>
            </RowHeadCell>
            <Cell label="Role">
              <Badge>{token.role}</Badge>
            </Cell>
            <Cell label="State">
              <StateBadge state={token.state} />
            </Cell>
            <Cell label="Last used">
              <Moment value={token.lastUsedAt}>never</Moment>
            </Cell>
            <Cell label="Ends">
              <Moment value={token.expiresAt}>when revoked</Moment>
            </Cell>
            <Cell label="Made">
              <Time value={token.createdAt} /> <span className="text-faint">by {token.createdBy}</span>
            </Cell>
            <Cell align="right" className="py-1.5 max-sm:absolute max-sm:top-2.5 max-sm:right-4">
              {token.state === 'live' ? <RevokeToken id={token.id} name={token.name} /> : null}
            </Cell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

function Moment({ value, children }: { value: string | null; children: ReactNode }) {
  return value === null ? <span className="text-faint">{children}</span> : <Time value={value} />;
}

function StateBadge({ state }: { state: ApiTokenListItem['state'] }) {
  if (state === 'revoked')
    return (
      <Badge tone="danger" icon={Ban}>
        revoked
      </Badge>
    );
  if (state === 'over')
    return (
      <Badge tone="neutral" icon={Clock}>
        over
      </Badge>
    );
  return (
    <Badge tone="success" icon={CircleCheck}>
      live
    </Badge>
  );
}
