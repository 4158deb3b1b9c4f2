/** Five things that may be wrong with a job in progress (interface 4.5). Pure: facts and the time in, flags out. */
import { Bot, CircleSlash, Ghost, Hourglass, type LucideIcon, WifiOff } from 'lucide-react';
import type { Tone } from '@/components/ui/class-names';
import { durationText } from '@/components/ui/time-format';
import type { JobRow } from '@/db/queries/job-rows';
import type { Usual } from '@/db/queries/job-usual';

export const jobFlagNames = ['orphaned', 'superseded', 'silent', 'slow', 'legacy'] as const;
export type JobFlagName = (typeof jobFlagNames)[number];

export interface JobFlag {
  readonly name: JobFlagName;
  /** What is known about it here, in one sentence. */
  readonly text: string;
}

type Facts = Pick<
  JobRow,
  'status' | 'clusterId' | 'ownsCluster' | 'server' | 'startedAt' | 'acceptedAt' | 'legacyParameters'
>;

/** `nowMs` null (the page has not come alive yet): what depends on the time is left out. */
export function jobFlags(job: Facts, usual: Usual | undefined, nowMs: number | null): readonly JobFlag[] {
  if (job.status !== 'in_progress') return [];
  const flags: JobFlag[] = [];
  const { server } = job;
  const isLegacy = job.clusterId === null;
  if (server?.state === 'departed')
    flags.push({ name: 'orphaned', text: `${server.name} has departed. The next recovery pass ends this job.` });
  if (!isLegacy && !job.ownsCluster)
    flags.push({ name: 'superseded', text: 'The cluster has moved on. Whatever this job still reports is ignored.' });
  if (server?.isSilent === true)
    flags.push({ name: 'silent', text: `${server.name} has missed two beats; its lease is not over yet.` });
  const ranMs = nowMs === null ? 0 : nowMs - Date.parse(job.startedAt ?? job.acceptedAt);
  // What nobody runs any more is not slow.
  if (usual !== undefined && ranMs > usual.p95Ms && server?.state !== 'departed') {
    flags.push({
      name: 'slow',
      text: `19 of 20 such jobs are done after ${durationText(usual.p95Ms)}; usual is ${durationText(usual.p50Ms)}.`,
    });
  }
  if (isLegacy) flags.push({ name: 'legacy', text: legacyText(job.legacyParameters) });
  return flags;
}

function legacyText(parameters: string | null): string {
  if (parameters === null || parameters.trim() === '')
    return 'A job of an older server that names no cluster: it holds back all recovery.';
  return `A job of an older server. Named in its parameters: ${parameters.length > 120 ? `${parameters.slice(0, 120)}…` : parameters}`;
}

export const flagLooks: Readonly<Record<JobFlagName, { label: string; tone: Tone; icon: LucideIcon }>> = {
  orphaned: { label: 'Orphaned', tone: 'danger', icon: Ghost },
  superseded: { label: 'Superseded', tone: 'danger', icon: CircleSlash },
  silent: { label: 'Silent', tone: 'warning', icon: WifiOff },
  slow: { label: 'Slow', tone: 'warning', icon: Hourglass },
  legacy: { label: 'Legacy', tone: 'violet', icon: Bot },
};
