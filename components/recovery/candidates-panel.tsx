'use client';
import { useQuery } from '@tanstack/react-query';
import { Eye, LifeBuoy, Play } from 'lucide-react';
import { useState } from 'react';
import { previewRecovery, runRecovery } from '@/app/actions/recovery';
import { RefusalNotice } from '@/components/refusals/refusal-notice';
import { useAction } from '@/components/refusals/use-action';
import { routes } from '@/components/routes';
import { summaryQuery } from '@/components/summary/summary-queries';
import { Button, ButtonLink } from '@/components/ui/button';
import { Panel } from '@/components/ui/panel';
import { EmptyState } from '@/components/ui/states';
import { TextLink } from '@/components/ui/text-link';
import { Time } from '@/components/ui/time';
import type { RecoveryHealth } from '@/db/queries/recovery-health';
import type { Role } from '@/domain/actor';
import type { PassReport } from '@/domain/passes';
import { DecisionsTable, isSelectable } from './decisions-table';
import { countsText } from './pass-look';
import { RunDialog } from './run-dialog';

/** Preview, tick, run: the same code decides in both. Rows come from the answer, so nothing shown here moves by itself. */
export function CandidatesPanel({ health, gate, role }: { health: RecoveryHealth; gate: string | null; role: Role }) {
  const preview = useAction(previewRecovery);
  const run = useAction(runRecovery);
  const [report, setReport] = useState<PassReport | null>(null);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [isAsking, setAsking] = useState(false);
  const [inTheWay, setInTheWay] = useState<number | null>(null);
  const ticked =
    report?.mode === 'preview'
      ? report.decisions.filter(isSelectable).filter((each) => chosen.has(each.clusterId))
      : [];

  const look = async () => {
    run.forget();
    const answer = await preview.run({});
    if (answer.kind !== 'accepted' || answer.value.kind !== 'done') return;
    setReport(answer.value.report);
    setChosen(new Set(answer.value.report.decisions.filter(isSelectable).map((each) => each.clusterId)));
  };
  const apply = async () => {
    const only = ticked.map(({ clusterId, seenSeq }) => ({ clusterId, seenSeq }));
    const answer = await run.run(only.length === 0 ? {} : { only });
    if (answer.kind !== 'accepted') return;
    setAsking(false);
    if (answer.value.kind === 'already-running') {
      setInTheWay(answer.value.passId);
      return;
    }
    setInTheWay(null);
    setReport(answer.value.report);
    setChosen(new Set());
  };
  const running = inTheWay !== null && health.runningPassId === inTheWay ? inTheWay : null;
  const hasUnticked = report?.mode === 'preview' && report.decisions.some(isSelectable) && ticked.length === 0;
  const reason =
    role === 'viewer'
      ? 'Needs the role operator.'
      : gate !== null
        ? `${gate} End that job first.`
        : hasUnticked
          ? 'Tick at least one cluster.'
          : undefined;
  const runLabel = ticked.length === 0 ? 'Run recovery' : `Recover ${ticked.length} selected`;

  return (
    <Panel
      id="candidates"
      title={
        report === null
          ? 'What a pass would do'
          : report.mode === 'preview'
            ? `Preview ${report.id}`
            : `Pass ${report.id}`
      }
      description={
        report === null ? 'A preview decides like a pass and writes nothing.' : countsText({ ...report.counts })
      }
      flush
      actions={
        <>
          <Button icon={<Eye aria-hidden className="size-3.5" />} isBusy={preview.isBusy} onClick={() => void look()}>
            {report?.mode === 'preview' ? 'Preview again' : 'Preview now'}
          </Button>
          {running === null ? (
            <Button
              variant="primary"
              icon={<Play aria-hidden className="size-3.5" />}
              reason={reason}
              onClick={() => setAsking(true)}
            >
              {runLabel}
            </Button>
          ) : (
            <ButtonLink variant="primary" href={routes.recoveryRun(running)}>
              Watch pass {running}
            </ButtonLink>
          )}
        </>
      }
    >
      {preview.outcome === null || preview.outcome.kind === 'accepted' ? null : (
        <div className="p-4">
          <RefusalNotice outcome={preview.outcome} />
        </div>
      )}
      {inTheWay === null ? null : (
        <p role="status" className="border-b border-line px-4 py-2 text-sm text-soft">
          <TextLink href={routes.recoveryRun(inTheWay)}>Pass {inTheWay}</TextLink> was under way already; nothing was
          done by this click.
        </p>
      )}
      {report === null ? (
        <BeforePreview health={health} />
      ) : (
        <Report report={report} chosen={chosen} setChosen={setChosen} />
      )}
      <RunDialog
        chosen={ticked}
        isWhole={ticked.length === 0}
        isOpen={isAsking}
        isBusy={run.isBusy}
        onOpenChange={(open) => {
          run.forget();
          setAsking(open);
        }}
        onRun={() => void apply()}
        notice={<RefusalNotice outcome={run.outcome} />}
      />
    </Panel>
  );
}

function Report({
  report,
  chosen,
  setChosen,
}: {
  report: PassReport;
  chosen: ReadonlySet<string>;
  setChosen: (next: ReadonlySet<string>) => void;
}) {
  const selectable = report.decisions.filter(isSelectable).map((each) => each.clusterId);
  const selection = {
    chosen,
    toggle: (clusterId: string) => {
      const next = new Set(chosen);
      if (!next.delete(clusterId)) next.add(clusterId);
      setChosen(next);
    },
    toggleAll: () => setChosen(selectable.every((id) => chosen.has(id)) ? new Set() : new Set(selectable)),
  };
  return (
    <>
      <div role="status" className="flex flex-col gap-1 border-b border-line px-4 py-2 text-sm text-soft empty:hidden">
        {report.gate === null ? null : <p className="tone-violet text-(--tone-fg)">{report.gate}</p>}
        {report.mode === 'apply' ? (
          <p>
            Recovery is done. {report.cloud === 'running' ? 'The look at the real machines goes on: ' : ''}
            <TextLink href={routes.recoveryRun(report.id)}>
              {report.cloud === 'running' ? `watch pass ${report.id}` : `pass ${report.id} in full`}
            </TextLink>
          </p>
        ) : null}
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
          caption={
            report.mode === 'preview' ? 'What a pass would do with each cluster' : 'What the pass did with each cluster'
          }
          decisions={[...report.decisions].sort((a, b) => rank[a.decision] - rank[b.decision])}
          selection={report.mode === 'preview' && selectable.length > 0 ? selection : undefined}
        />
      )}
    </>
  );
}

const rank = { recover: 0, blocked: 1, leave: 2 } as const;

/** Three different kinds of nothing (interface 4.7). */
function BeforePreview({ health }: { health: RecoveryHealth }) {
  const { data: summary } = useQuery(summaryQuery);
  const last = health.lastPass;
  const found =
    last === null ? (
      'No pass has run yet.'
    ) : (
      <>
        The last pass looked at {last.lookedAt} {last.lookedAt === 1 ? 'cluster' : 'clusters'}{' '}
        <Time value={last.startedAt} />: {countsText(last)}.
      </>
    );
  if (summary === undefined) return <EmptyState icon={LifeBuoy} title="What would a pass do now?" text={found} />;
  if (summary.orphaned > 0) {
    const title =
      summary.orphaned === 1 ? '1 cluster is held by nobody' : `${summary.orphaned} clusters are held by nobody`;
    return (
      <EmptyState
        icon={LifeBuoy}
        title={title}
        text={
          <>
            The next pass frees {summary.orphaned === 1 ? 'it' : 'them'}. A preview shows how. {found}
          </>
        }
      />
    );
  }
  if (summary.operating > 0) {
    const title =
      summary.operating === 1
        ? '1 cluster is operating; its job is alive'
        : `${summary.operating} clusters are operating; all have a live job`;
    return <EmptyState icon={LifeBuoy} title={title} text={found} />;
  }
  return <EmptyState icon={LifeBuoy} title="No cluster is in an operation" text={found} />;
}
