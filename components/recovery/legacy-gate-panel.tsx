'use client';
import { CircleStop } from 'lucide-react';
import { useState } from 'react';
import { endLegacyJob } from '@/app/actions/recovery';
import { kindLabel, shortId } from '@/components/jobs/job-words';
import { routes } from '@/components/routes';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Panel } from '@/components/ui/panel';
import { Cell, HeadCell, RowHeadCell, Table, TableBody, TableHead, TableRow } from '@/components/ui/table';
import { TextLink } from '@/components/ui/text-link';
import { Elapsed } from '@/components/ui/time';
import type { LegacyGateCard, LegacyJobRow } from '@/db/queries/legacy-gate';
import type { Role } from '@/domain/actor';
import { ReasonedDialog } from './reasoned-dialog';

/** While servers of several versions run (interface B14): who is old, and what their jobs hold back. Nothing when all is new. */
export function LegacyGatePanel({ gate, role }: { gate: LegacyGateCard; role: Role }) {
  const isOld = gate.versions.some((each) => each.protocol < currentProtocol);
  if (gate.jobs.length === 0 && !isOld) return null;
  const title =
    gate.holdsAll === null ? 'A rolling upgrade is under way' : 'Recovery is held back by a job of an older server';
  return (
    <Panel
      id="legacy"
      title={title}
      tone={gate.holdsAll === null ? 'violet' : 'warning'}
      description={gate.holdsAll ?? undefined}
      flush
    >
      <div className="flex flex-col gap-2 px-4 py-3 text-sm text-soft">
        <p>
          Servers of an older version record neither the cluster nor a token with their jobs. What such a job names is
          left alone; one that names nothing holds back all recovery.
        </p>
        <ul className="flex flex-wrap gap-1.5">
          {gate.versions.map((each) => (
            <li key={`${each.version}-${each.protocol}`}>
              <Badge tone={each.protocol < currentProtocol ? 'warning' : 'neutral'}>
                {each.version}
                {each.protocol < currentProtocol ? ' (older protocol)' : ''}: {each.servers.join(', ')}
              </Badge>
            </li>
          ))}
        </ul>
      </div>
      {gate.jobs.length === 0 ? null : (
        <div className="border-t border-line">
          <Table caption="Jobs of older servers in progress">
            <TableHead>
              <HeadCell>Job</HeadCell>
              <HeadCell>Names</HeadCell>
              <HeadCell>Server</HeadCell>
              <HeadCell>Age</HeadCell>
              <HeadCell align="right">
                <span className="sr-only">Act</span>
              </HeadCell>
            </TableHead>
            <TableBody>
              {gate.jobs.map((job) => (
                <LegacyRow key={job.id} job={job} role={role} />
              ))}
            </TableBody>
          </Table>
        </div>
      )}
    </Panel>
  );
}

/** Servers from this protocol on record cluster and token in their jobs. */
const currentProtocol = 2;

const healthWords = { live: 'alive', silent: 'silent', dead: 'gone' } as const;

function LegacyRow({ job, role }: { job: LegacyJobRow; role: Role }) {
  const [isOpen, setOpen] = useState(false);
  const server = job.serverName ?? 'an unknown server';
  const reason =
    role !== 'admin'
      ? 'Needs the role admin.'
      : job.mayBeEnded
        ? undefined
        : `${server} is alive and will end it itself.`;
  return (
    <TableRow>
      <RowHeadCell>
        <TextLink href={routes.job(job.id)} className="font-medium text-ink decoration-line-strong">
          {kindLabel(job.kind)}
        </TextLink>{' '}
        <span className="font-mono text-xs text-faint">{shortId(job.id)}</span>
      </RowHeadCell>
      <Cell label="Names">
        {job.holdsAll ? (
          <span className="font-medium text-warning">no cluster: holds back all recovery</span>
        ) : (
          job.names.map((each, index) => (
            <span key={each.id}>
              {index === 0 ? '' : ', '}
              <TextLink href={routes.cluster(each.id)}>{each.name}</TextLink>
            </span>
          ))
        )}
      </Cell>
      <Cell label="Server">
        {server}{' '}
        {job.serverHealth === null ? null : (
          <span className="text-xs text-faint">({healthWords[job.serverHealth]})</span>
        )}
      </Cell>
      <Cell label="Age" className="whitespace-nowrap tabular-nums">
        <Elapsed since={job.acceptedAt} />
      </Cell>
      <Cell align="right">
        <Button
          size="sm"
          icon={<CircleStop aria-hidden className="size-3.5" />}
          reason={reason}
          onClick={() => setOpen(true)}
        >
          End
        </Button>
        <ReasonedDialog
          title="End this job of an older server"
          description={`${kindLabel(job.kind)} ${shortId(job.id)} of ${server}.`}
          confirmLabel="End job"
          doneText="The job was ended."
          isOpen={isOpen}
          onOpenChange={setOpen}
          act={(why) => endLegacyJob({ jobId: job.id, reason: why })}
        >
          <LegacyEndEffects />
        </ReasonedDialog>
      </Cell>
    </TableRow>
  );
}

export function LegacyEndEffects() {
  return (
    <ul className="list-disc space-y-1 pl-4 text-sm text-soft">
      <li>The job ends as failed, with your reason; no cluster is changed by this.</li>
      <li>It holds back recovery no longer: the next pass looks at every orphan again.</li>
      <li>If its server still works on a cluster, Holdfast cannot know it. Be sure that it is gone.</li>
    </ul>
  );
}
