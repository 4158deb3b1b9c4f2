'use client';
import { Eye, Play } from 'lucide-react';
import { useState } from 'react';
import { RefusalNotice } from '@/components/refusals/refusal-notice';
import { routes } from '@/components/routes';
import { Button, ButtonLink } from '@/components/ui/button';
import { Panel } from '@/components/ui/panel';
import { TextLink } from '@/components/ui/text-link';
import type { RecoveryHealth } from '@/db/queries/recovery-health';
import type { Role } from '@/domain/actor';
import { BeforePreview } from './before-preview';
import { countsText } from './pass-look';
import { ReportTable } from './report-table';
import { RunDialog } from './run-dialog';
import { useRecovery } from './use-recovery';

/** What a pass would do, and the button that lets it (interface 4.7). */
export function CandidatesPanel({ health, gate, role }: { health: RecoveryHealth; gate: string | null; role: Role }) {
  const recovery = useRecovery();
  const { report, ticked, inTheWay, preview, run } = recovery;
  const [isAsking, setAsking] = useState(false);
  const isPreview = report?.mode === 'preview';
  const hasUnticked = recovery.selectable.length > 0 && ticked.length === 0;
  const reason = offReason({ role, gate, hasUnticked });
  const title = report === null ? 'What a pass would do' : `${isPreview ? 'Preview' : 'Pass'} ${report.id}`;
  return (
    <Panel
      id="candidates"
      title={title}
      description={
        report === null ? 'A preview decides like a pass and changes nothing.' : countsText(report.counts, report.mode)
      }
      flush
      actions={
        <>
          <Button
            icon={<Eye aria-hidden className="size-3.5" />}
            isBusy={preview.isBusy}
            onClick={() => void recovery.look()}
          >
            {isPreview ? 'Preview again' : 'Preview now'}
          </Button>
          {inTheWay !== null && health.runningPassId === inTheWay ? (
            <ButtonLink variant="primary" href={routes.recoveryRun(inTheWay)}>
              Watch pass {inTheWay}
            </ButtonLink>
          ) : (
            <Button
              variant="primary"
              icon={<Play aria-hidden className="size-3.5" />}
              reason={reason}
              onClick={() => setAsking(true)}
            >
              {ticked.length === 0 ? 'Run recovery' : `Recover ${ticked.length} selected`}
            </Button>
          )}
        </>
      }
    >
      <div className="p-4 empty:hidden">
        <RefusalNotice outcome={preview.outcome} />
      </div>
      {inTheWay === null ? null : (
        <p role="status" className="border-b border-line px-4 py-2 text-sm text-soft">
          <TextLink href={routes.recoveryRun(inTheWay)}>Pass {inTheWay}</TextLink> was under way already; nothing was
          done by this click.
        </p>
      )}
      {report === null ? (
        <BeforePreview health={health} />
      ) : (
        <ReportTable report={report} selection={recovery} canSelect={recovery.selectable.length > 0} />
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
        onRun={() => void recovery.apply().then((isDone) => isDone && setAsking(false))}
        notice={<RefusalNotice outcome={run.outcome} />}
      />
    </Panel>
  );
}

function offReason({
  role,
  gate,
  hasUnticked,
}: {
  role: Role;
  gate: string | null;
  hasUnticked: boolean;
}): string | undefined {
  if (role === 'viewer') return 'Needs the role operator.';
  if (gate !== null) return `${gate} End that job first.`;
  return hasUnticked ? 'Tick at least one cluster.' : undefined;
}
