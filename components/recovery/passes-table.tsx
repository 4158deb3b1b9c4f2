'use client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { useFrozenRows } from '@/components/jobs/frozen-rows';
import { ChangedPill, Pager } from '@/components/jobs/jobs-table';
import { routes } from '@/components/routes';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Panel } from '@/components/ui/panel';
import { EmptyState, FailedState, Skeleton } from '@/components/ui/states';
import { Cell, HeadCell, RowHeadCell, Table, TableBody, TableHead, TableRow } from '@/components/ui/table';
import { TextLink } from '@/components/ui/text-link';
import { Time } from '@/components/ui/time';
import type { PassRow } from '@/db/queries/recovery';
import { passLook } from './pass-look';
import { type PassShow, passesQuery } from './recovery-queries';

/** History of the passes. A pass comes every few seconds, so those that did nothing are left out at first. */
export function PassesPanel() {
  const [{ show, after }, set] = useQueryStates({
    show: parseAsStringLiteral(['all', 'eventful']).withDefault('eventful'),
    after: parseAsString,
  });
  return (
    <Panel
      id="passes"
      title="Passes"
      flush
      actions={
        <Button
          size="sm"
          variant="ghost"
          aria-pressed={show === 'all'}
          onClick={() => void set({ show: show === 'all' ? 'eventful' : 'all', after: null }, { history: 'push' })}
        >
          {show === 'all' ? 'Only those that did something' : 'Show all'}
        </Button>
      }
    >
      <PassesBody show={show} after={after} onPage={(next) => void set({ after: next }, { history: 'push' })} />
    </Panel>
  );
}

function PassesBody({
  show,
  after,
  onPage,
}: {
  show: PassShow;
  after: string | null;
  onPage: (after: string | null) => void;
}) {
  const query = useQuery({ ...passesQuery(show, after), placeholderData: keepPreviousData });
  const { data, error } = query;
  const { rows, changed, apply } = useFrozenRows(
    query.isPlaceholderData ? undefined : data?.rows,
    (row) => String(row.id),
    `${show} ${after ?? ''}`,
  );
  if (data === undefined) {
    if (error === null) return <Skeleton lines={5} label="Loading the passes" />;
    return (
      <FailedState
        title="The passes could not be read"
        text={error.message}
        onRetry={() => void query.refetch()}
        isBusy={query.isFetching}
      />
    );
  }
  const shown = query.isPlaceholderData ? data.rows : rows.map((each) => each.row);
  if (shown.length === 0) {
    return show === 'all' ? (
      <EmptyState title="No pass has run yet" text="Start the cron caller, or run one by hand." />
    ) : (
      <EmptyState title="No pass had anything to do" text="Passes that found nothing are left out." />
    );
  }
  return (
    <>
      {changed === 0 ? null : (
        <div className="border-b border-line py-2">
          <ChangedPill changed={changed} noun="new" onApply={apply} />
        </div>
      )}
      <PassesTable rows={shown} />
      <div className="px-4 py-2 empty:hidden">
        <Pager isFirst={after === null} next={data.next === null ? null : String(data.next)} onPage={onPage} />
      </div>
    </>
  );
}

function PassesTable({ rows }: { rows: readonly PassRow[] }) {
  return (
    <Table caption="Passes, newest first">
      <TableHead>
        <HeadCell>Pass</HeadCell>
        <HeadCell>Outcome</HeadCell>
        <HeadCell>Started</HeadCell>
        <HeadCell>By</HeadCell>
        <HeadCell>Server</HeadCell>
        <HeadCell align="right">Took</HeadCell>
        <HeadCell align="right">Looked at</HeadCell>
        <HeadCell align="right">Recovered</HeadCell>
        <HeadCell align="right">Left</HeadCell>
        <HeadCell align="right">Missed</HeadCell>
        <HeadCell align="right">Errors</HeadCell>
      </TableHead>
      <TableBody>
        {rows.map((pass) => (
          <PassTableRow key={pass.id} pass={pass} />
        ))}
      </TableBody>
    </Table>
  );
}

function PassTableRow({ pass }: { pass: PassRow }) {
  const look = passLook(pass);
  return (
    <TableRow>
      <RowHeadCell className="whitespace-nowrap">
        <TextLink
          href={routes.recoveryRun(pass.id)}
          className="font-medium text-ink tabular-nums decoration-line-strong"
        >
          {pass.id}
        </TextLink>
        {pass.mode === 'preview' ? <span className="ml-1.5 text-xs text-faint">preview</span> : null}
      </RowHeadCell>
      <Cell>
        <Badge
          tone={look.tone}
          icon={look.icon}
          isActive={pass.status === 'running'}
          title={pass.error ?? pass.gate ?? pass.cloudNote ?? undefined}
        >
          {look.label}
        </Badge>
      </Cell>
      <Cell label="Started" className="whitespace-nowrap">
        <Time value={pass.startedAt} />
      </Cell>
      <Cell label="By">
        {pass.trigger === 'hand' ? pass.actorName : <span className="text-soft">{pass.trigger}</span>}
      </Cell>
      <Cell label="Server" onPhone="hidden">
        <TextLink href={routes.server(pass.serverId)} className="text-ink decoration-line-strong">
          {pass.serverName}
        </TextLink>
      </Cell>
      <Cell label="Took" onPhone="hidden" align="right" className="whitespace-nowrap tabular-nums">
        <Took pass={pass} />
      </Cell>
      <Count label="Looked at" value={pass.lookedAt} isMinor />
      <Count label="Recovered" value={pass.recovered} tone="text-warning" />
      <Count label="Left" value={pass.left} isMinor />
      <Count label="Missed" value={pass.missed} tone="text-warning" />
      <Count label="Errors" value={pass.errors} tone="text-danger" />
    </TableRow>
  );
}

/** Milliseconds below a second: most passes are that quick, and that is worth seeing. */
export function tookText(ms: number | null): string {
  if (ms === null) return '–';
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

function Took({ pass }: { pass: PassRow }) {
  return (
    <span title={`Recovery ${tookText(pass.ownershipMs)}, with the look at the machines ${tookText(pass.tookMs)}`}>
      {tookText(pass.tookMs)}
    </span>
  );
}

function Count({
  label,
  value,
  tone,
  isMinor = false,
}: {
  label: string;
  value: number;
  tone?: string;
  isMinor?: boolean;
}) {
  return (
    <Cell label={label} align="right" className="tabular-nums" onPhone={value === 0 || isMinor ? 'hidden' : 'shown'}>
      {value === 0 ? (
        <span className="text-faint">0</span>
      ) : (
        <span className={tone === undefined ? undefined : `font-medium ${tone}`}>{value}</span>
      )}
    </Cell>
  );
}
