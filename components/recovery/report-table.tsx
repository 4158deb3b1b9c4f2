'use client';
import { LifeBuoy } from 'lucide-react';
import { routes } from '@/components/routes';
import { EmptyState } from '@/components/ui/states';
import { TextLink } from '@/components/ui/text-link';
import type { PassReport } from '@/domain/passes';
import { DecisionsTable, type Selection } from './decisions-table';

const rank = { recover: 0, blocked: 1, leave: 2 } as const;

/** What was answered to a preview or a run: notes above, a row a cluster below, those that would change first. */
export function ReportTable({
  report,
  selection,
  canSelect,
}: {
  report: PassReport;
  selection: Selection;
  canSelect: boolean;
}) {
  const isPreview = report.mode === 'preview';
  const goesOn = report.cloud === 'running';
  return (
    <>
      <div role="status" className="flex flex-col gap-1 border-b border-line px-4 py-2 text-sm text-soft empty:hidden">
        {report.gate === null ? null : <p className="tone-violet text-(--tone-fg)">{report.gate}</p>}
        {isPreview ? null : (
          <p>
            Recovery is done. {goesOn ? 'The look at the real machines goes on: ' : ''}
            <TextLink href={routes.recoveryRun(report.id)}>
              {goesOn ? `watch pass ${report.id}` : `pass ${report.id} in full`}
            </TextLink>
          </p>
        )}
        {report.cloudNote === null ? null : <p>{report.cloudNote}</p>}
      </div>
      {report.decisions.length === 0 ? (
        <EmptyState
          icon={LifeBuoy}
          title="Nothing to decide"
          text="No cluster is held by an operation, and none is in Alert or being deleted."
        />
      ) : (
        <DecisionsTable
          caption={isPreview ? 'What a pass would do with each cluster' : 'What the pass did with each cluster'}
          decisions={[...report.decisions].sort((a, b) => rank[a.decision] - rank[b.decision])}
          selection={isPreview && canSelect ? selection : undefined}
        />
      )}
    </>
  );
}
