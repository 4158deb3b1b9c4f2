'use client';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Activity, ShieldCheck, ThumbsUp } from 'lucide-react';
import { whileHeld } from '@/components/clusters/while-held';
import { HealthPanel } from '@/components/recovery/health-panel';
import { recoveryQuery } from '@/components/recovery/recovery-queries';
import { routes } from '@/components/routes';
import { summaryQuery } from '@/components/summary/summary-queries';
import { Mark } from '@/components/ui/badge';
import { Panel } from '@/components/ui/panel';
import { EmptyState, FailedState, Skeleton } from '@/components/ui/states';
import { TextLink } from '@/components/ui/text-link';
import { Time } from '@/components/ui/time';
import type { Overview as OverviewData } from '@/db/queries/overview';
import type { FleetSummary } from '@/db/queries/summary';
import { ClusterLines } from './cluster-lines';
import { FirstSteps } from './first-steps';
import { NumberCards } from './number-cards';
import { overviewQuery } from './overview-queries';
import { StateBar } from './state-bar';

export function Overview({ mayCreate, firstSummary }: { mayCreate: boolean; firstSummary: FleetSummary }) {
  const { data: summary } = useQuery({ ...summaryQuery, initialData: firstSummary });
  const { data } = useSuspenseQuery({
    ...overviewQuery,
    refetchInterval: ({ state }) => whileHeld((state.data?.operating.length ?? 0) > 0, 'list'),
  });
  if (!data.hasCluster) return <FirstSteps mayCreate={mayCreate} />;
  return (
    <div className="flex flex-col gap-4">
      <NumberCards summary={summary} />
      <Recovery />
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <Panel
          id="attention"
          title="Needs attention"
          flush
          actions={<TextLink href={routes.clustersIn({ preset: 'attention' })}>All</TextLink>}
        >
          <ClusterLines
            rows={data.attention}
            empty={{
              title: 'Nothing needs you',
              text: 'Every cluster is as it should be, or at work.',
              icon: ThumbsUp,
            }}
          />
        </Panel>
        <Panel id="running" title="Running now" flush actions={<TextLink href={routes.jobs}>Jobs</TextLink>}>
          <ClusterLines
            rows={data.operating}
            empty={{
              title: 'No operation is running',
              text: 'Each one shows here with its step, its server and its admin.',
              icon: Activity,
            }}
          />
        </Panel>
        <Panel id="states" title="States" actions={<TextLink href={routes.lifecycle}>Lifecycle</TextLink>}>
          <StateBar states={summary.states} />
        </Panel>
        <Panel
          id="troubles"
          title="Last refusals and failures"
          actions={<TextLink href={routes.events}>Events</TextLink>}
        >
          <Troubles events={data.troubles} />
        </Panel>
      </div>
    </div>
  );
}

/** Read by itself: the rest of the page does not wait for it. */
function Recovery() {
  const { data, error, refetch } = useQuery(recoveryQuery());
  if (data !== undefined) return <HealthPanel health={data.health} strip={data.strip} />;
  if (error !== null)
    return (
      <FailedState
        title="The state of recovery could not be read"
        text={error.message}
        onRetry={() => void refetch()}
      />
    );
  return <Skeleton lines={2} label="Loading the state of recovery" />;
}

function Troubles({ events }: { events: OverviewData['troubles'] }) {
  if (events.length === 0) return <EmptyState icon={ShieldCheck} title="None" className="py-6" />;
  return (
    <ol className="flex flex-col gap-2.5">
      {events.map((event) => (
        <li key={event.id} className="flex gap-2.5 text-sm">
          <Mark
            tone={event.result === 'failed' ? 'danger' : event.result === 'refused' ? 'warning' : 'violet'}
            className="mt-1.5"
          />
          <div className="min-w-0">
            <p className="line-clamp-3 break-words">{event.summary}</p>
            <p className="text-xs text-faint">
              {event.result} · {event.actorName} · <Time value={event.at} />
              {event.jobId === null ? null : (
                <>
                  {' · '}
                  <TextLink href={routes.job(event.jobId)}>job</TextLink>
                </>
              )}
            </p>
          </div>
        </li>
      ))}
    </ol>
  );
}
