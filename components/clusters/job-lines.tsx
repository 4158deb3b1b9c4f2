'use client';
import { Activity } from 'lucide-react';
import Link from 'next/link';
import { kindLabel, looks } from '@/components/jobs/job-words';
import { routes } from '@/components/routes';
import { Badge } from '@/components/ui/badge';
import { EmptyState } from '@/components/ui/states';
import { Cell, HeadCell, RowHeadCell, Table, TableBody, TableHead, TableRow } from '@/components/ui/table';
import { Elapsed, Time } from '@/components/ui/time';
import type { JobLine } from '@/db/queries/cluster-dto';
import { jobReasons } from '@/domain/jobs';

/** A cluster's jobs, the latest first. */
export function JobLines({ jobs }: { jobs: readonly JobLine[] }) {
  if (jobs.length === 0) return <EmptyState icon={Activity} title="No operation yet" />;
  return (
    <Table caption="Jobs of this cluster">
      <TableHead>
        <HeadCell>Operation</HeadCell>
        <HeadCell>Status</HeadCell>
        <HeadCell>Outcome</HeadCell>
        <HeadCell>By</HeadCell>
        <HeadCell>Server</HeadCell>
        <HeadCell>Took</HeadCell>
        <HeadCell>Asked</HeadCell>
      </TableHead>
      <TableBody>
        {jobs.map((job) => (
          <JobLineRow key={job.id} job={job} />
        ))}
      </TableBody>
    </Table>
  );
}

function lookOf(job: JobLine) {
  if (job.status === 'in_progress') return looks['in-progress'];
  if (job.status !== 'failed') return looks[job.status];
  return job.reason === 'recovered' || job.reason === 'server-departed' ? looks.recovered : looks.failed;
}

function JobLineRow({ job }: { job: JobLine }) {
  const look = lookOf(job);
  const outcome =
    job.finishedAt === null ? job.currentStep : (job.message ?? (job.reason === null ? null : jobReasons[job.reason]));
  return (
    <TableRow>
      <RowHeadCell>
        <Link href={routes.job(job.id)} className="font-medium hover:underline">
          {kindLabel(job.kind)}
        </Link>
      </RowHeadCell>
      <Cell label="Status">
        <Badge tone={look.tone} icon={look.icon} title={look.meaning} isActive={job.status === 'in_progress'}>
          {look.label}
        </Badge>
      </Cell>
      <Cell label="Outcome" className="max-w-80">
        {outcome === null ? (
          <span className="text-faint">–</span>
        ) : (
          <span className="line-clamp-2 text-soft">{outcome}</span>
        )}
        {job.lateResultAt === null ? null : <p className="text-xs text-warning">A late result was ignored.</p>}
      </Cell>
      <Cell label="By">{job.actorName}</Cell>
      <Cell label="Server" onPhone="hidden">
        {job.serverName ?? <span className="text-faint">–</span>}
      </Cell>
      <Cell label="Took">
        {job.startedAt === null ? (
          <span className="text-faint">–</span>
        ) : (
          <Elapsed since={job.startedAt} until={job.finishedAt} />
        )}
      </Cell>
      <Cell label="Asked" className="text-soft">
        <Time value={job.acceptedAt} />
      </Cell>
    </TableRow>
  );
}
