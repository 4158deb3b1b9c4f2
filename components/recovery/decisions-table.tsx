'use client';
import { ArrowRight } from 'lucide-react';
import { StateBadge } from '@/components/lifecycle/state-badge';
import { routes } from '@/components/routes';
import { Badge } from '@/components/ui/badge';
import { Cell, HeadCell, RowHeadCell, Table, TableBody, TableHead, TableRow } from '@/components/ui/table';
import { TextLink } from '@/components/ui/text-link';
import { decisionCodes } from '@/domain/orphans';
import type { PassDecision } from '@/domain/passes';
import { decisionLooks, resultLooks } from './pass-look';

export interface Selection {
  readonly chosen: ReadonlySet<string>;
  readonly toggle: (clusterId: string) => void;
  readonly toggleAll: () => void;
}

/** Whether a row of a preview can be ticked: an orphan that the pass would free, with the token it saw. */
export function isSelectable(each: PassDecision): each is PassDecision & { clusterId: string; seenSeq: number } {
  return each.decision === 'recover' && each.clusterId !== null && each.seenSeq !== null;
}

/** Decisions of a pass: per cluster what, why, and what it becomes; after a run what came of it. */
export function DecisionsTable({
  decisions,
  caption,
  selection,
}: {
  decisions: readonly PassDecision[];
  caption: string;
  selection?: Selection | undefined;
}) {
  const hasResults = decisions.some((each) => each.result !== null);
  const selectable = decisions.filter(isSelectable);
  const isAll =
    selection !== undefined &&
    selectable.length > 0 &&
    selectable.every((each) => selection.chosen.has(each.clusterId));
  return (
    <Table caption={caption}>
      <TableHead>
        {selection === undefined ? null : (
          <HeadCell className="w-8">
            <input
              type="checkbox"
              aria-label="Select all that would be recovered"
              className="size-4 align-middle accent-(--accent)"
              checked={isAll}
              aria-disabled={selectable.length === 0 || undefined}
              onChange={() => selection.toggleAll()}
            />
          </HeadCell>
        )}
        <HeadCell>Cluster</HeadCell>
        <HeadCell>Decision</HeadCell>
        <HeadCell>Becomes</HeadCell>
        <HeadCell className="w-1/2">Why</HeadCell>
        <HeadCell>Job</HeadCell>
        {hasResults ? <HeadCell>Result</HeadCell> : null}
      </TableHead>
      <TableBody>
        {decisions.map((each, index) => (
          <DecisionRow
            key={`${each.clusterId ?? each.clusterName}-${index.toString()}`}
            decision={each}
            selection={selection}
            hasResults={hasResults}
          />
        ))}
      </TableBody>
    </Table>
  );
}

function DecisionRow({
  decision: each,
  selection,
  hasResults,
}: {
  decision: PassDecision;
  selection: Selection | undefined;
  hasResults: boolean;
}) {
  const look = decisionLooks[each.decision];
  return (
    <TableRow className={each.decision === 'recover' ? undefined : 'text-soft'}>
      {selection === undefined ? null : (
        <Cell>
          {isSelectable(each) ? (
            <input
              type="checkbox"
              aria-label={`Recover ${each.clusterName}`}
              className="size-4 align-middle accent-(--accent)"
              checked={selection.chosen.has(each.clusterId)}
              onChange={() => selection.toggle(each.clusterId)}
            />
          ) : null}
        </Cell>
      )}
      <RowHeadCell>
        {each.clusterId === null ? (
          <span className="font-medium">{each.clusterName}</span>
        ) : (
          <TextLink
            href={routes.cluster(each.clusterId)}
            className="block max-w-56 truncate font-medium text-ink decoration-line-strong"
          >
            {each.clusterName}
          </TextLink>
        )}
      </RowHeadCell>
      <Cell label="Decision">
        <Badge tone={look.tone}>{look.label}</Badge>
      </Cell>
      <Cell label="Becomes">
        <Becomes decision={each} />
      </Cell>
      <Cell label="Why" className="sm:min-w-64">
        <span className="break-words">{each.reason}</span>
        <code className="block font-mono text-2xs text-faint" title={decisionCodes[each.code]}>
          {each.code}
        </code>
      </Cell>
      <Cell label="Job">
        {each.jobId === null ? (
          <span className="text-faint">–</span>
        ) : (
          <TextLink href={routes.job(each.jobId)} className="font-mono text-xs">
            {each.jobId.slice(0, 8)}
          </TextLink>
        )}
      </Cell>
      {hasResults ? (
        <Cell label="Result">
          <ResultOf decision={each} />
        </Cell>
      ) : null}
    </TableRow>
  );
}

function Becomes({ decision: each }: { decision: PassDecision }) {
  if (each.state === null) return <span className="text-faint">–</span>;
  return (
    <span className="flex flex-wrap items-center gap-1.5">
      <StateBadge state={each.state} isQuiet />
      {each.becomes === null ? (
        each.decision === 'recover' ? (
          <span className="text-xs text-faint">released</span>
        ) : null
      ) : (
        <>
          <ArrowRight aria-label="becomes" className="size-3 shrink-0 text-faint" />
          <StateBadge state={each.becomes} isQuiet />
        </>
      )}
    </span>
  );
}

function ResultOf({ decision: { result } }: { decision: PassDecision }) {
  if (result === null || result === 'none') return <span className="text-faint">–</span>;
  return <Badge tone={resultLooks[result].tone}>{resultLooks[result].label}</Badge>;
}
