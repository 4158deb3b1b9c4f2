'use client';
import { CircleStop, RotateCcw, Undo2 } from 'lucide-react';
import type { Route } from 'next';
import { useState, useTransition } from 'react';
import { toast } from 'sonner';
import { withdrawOperation } from '@/app/actions/clusters';
import { endLegacyJob, endOperation } from '@/app/actions/recovery';
import { LegacyEndEffects } from '@/components/recovery/legacy-gate-panel';
import { ReasonedDialog } from '@/components/recovery/reasoned-dialog';
import { routes } from '@/components/routes';
import { Button, ButtonLink } from '@/components/ui/button';
import type { JobDetail } from '@/db/queries/job';
import type { Role } from '@/domain/actor';
import { failureTarget } from '@/domain/orphans';
import { stateLabels } from '@/domain/states';
import { jobLook, kindLabel, knownKind } from './job-words';

/** What can be done about a job; an act that is off says why. */
export function JobActs({ job, role }: { job: JobDetail; role: Role }) {
  const look = jobLook(job);
  return (
    <>
      {look === 'waiting' ? <Withdraw job={job} role={role} /> : null}
      {look === 'in-progress' ? <EndOperation job={job} role={role} /> : null}
      {look === 'failed' || look === 'recovered' || look === 'cancelled' ? <RunAgain job={job} role={role} /> : null}
    </>
  );
}

/** Opens the operation's form with this job named: what is done already is skipped. */
function RunAgain({ job, role }: { job: JobDetail; role: Role }) {
  const kind = knownKind(job.kind);
  if (job.clusterId === null || kind === undefined || kind === 'recover') return null;
  // A create that broke off is gone on with by a start, which includes every create step not yet done.
  const form = kind === 'create' ? 'start' : kind;
  const reason =
    job.cluster === null || job.cluster.isRemoved
      ? 'The cluster has been deleted.'
      : role === 'viewer'
        ? 'Needs the role operator.'
        : undefined;
  const isResume = job.stepsDone > 0 && jobLook(job) !== 'cancelled';
  return (
    <ButtonLink
      href={`${routes.operation(job.clusterId, form)}?continues=${job.id}` as Route}
      variant="primary"
      reason={reason}
      icon={<RotateCcw aria-hidden className="size-3.5" />}
    >
      {isResume ? `Resume ${kindLabel(job.kind).toLowerCase()}` : 'Run again'}
    </ButtonLink>
  );
}

function Withdraw({ job, role }: { job: JobDetail; role: Role }) {
  const [isBusy, start] = useTransition();
  const withdraw = () =>
    start(async () => {
      const answer = await withdrawOperation({ clusterId: job.clusterId, jobId: job.id });
      if (answer.ok) toast.success('The stop was withdrawn.');
      else toast.error(answer.refusal.message, { duration: Number.POSITIVE_INFINITY });
    });
  return (
    <Button
      icon={<Undo2 aria-hidden className="size-3.5" />}
      isBusy={isBusy}
      reason={role === 'viewer' ? 'Needs the role operator.' : undefined}
      onClick={withdraw}
    >
      Withdraw
    </Button>
  );
}

function EndOperation({ job, role }: { job: JobDetail; role: Role }) {
  const [isOpen, setOpen] = useState(false);
  const label = kindLabel(job.kind);
  const isLegacy = job.clusterId === null;
  const silentEnough = job.server === null || job.server.state === 'departed' || job.server.isSilent;
  const reason =
    role !== 'admin'
      ? 'Needs the role admin.'
      : isLegacy && !silentEnough
        ? `${job.server?.name ?? 'Its server'} is alive; a job of an older server can be ended only when its server is silent or unknown.`
        : undefined;
  return (
    <>
      <Button
        variant="secondary"
        icon={<CircleStop aria-hidden className="size-3.5" />}
        reason={reason}
        onClick={() => setOpen(true)}
      >
        End this {isLegacy ? 'job' : 'operation'}
      </Button>
      <ReasonedDialog
        title={
          isLegacy
            ? 'End this job of an older server'
            : `End the ${label.toLowerCase()} of ${job.clusterName ?? 'this cluster'}`
        }
        description={
          isLegacy ? 'For a job whose server will not come back.' : 'For an operation that hangs. It cannot be undone.'
        }
        confirmLabel={isLegacy ? 'End job' : 'End operation'}
        doneText={isLegacy ? 'The job was ended.' : `The ${label.toLowerCase()} was ended.`}
        isOpen={isOpen}
        onOpenChange={setOpen}
        act={(why) =>
          isLegacy
            ? endLegacyJob({ jobId: job.id, reason: why })
            : endOperation({
                clusterId: job.clusterId,
                operationId: job.id,
                seenSeq: job.cluster?.seq ?? job.token ?? 0,
                reason: why,
              })
        }
      >
        {isLegacy ? <LegacyEndEffects /> : <Effects job={job} />}
      </ReasonedDialog>
    </>
  );
}

function Effects({ job }: { job: JobDetail }) {
  const target = job.heldState === null ? null : failureTarget(job.heldState, job.failureEvent);
  return (
    <ul className="list-disc space-y-1 pl-4 text-sm text-soft">
      <li>The job ends as failed, with your reason.</li>
      <li>
        {target === null
          ? 'The cluster is released; its state stays as it is.'
          : `The cluster goes from ${stateLabels[job.heldState ?? target]} to ${stateLabels[target]} and is free again.`}
      </li>
      <li>What its worker still reports is ignored. Machines it has already changed stay changed.</li>
      <li>If the cluster has moved on since this page was read, nothing happens.</li>
    </ul>
  );
}
