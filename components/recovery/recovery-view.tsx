'use client';
import { useQuery } from '@tanstack/react-query';
import { RequestFailed } from '@/components/request';
import { PageHeader } from '@/components/ui/page-header';
import { Panel } from '@/components/ui/panel';
import { FailedState, Skeleton } from '@/components/ui/states';
import type { Role } from '@/domain/actor';
import { CandidatesPanel } from './candidates-panel';
import { HealthPanel, RecoveryRules } from './health-panel';
import { LegacyGatePanel } from './legacy-gate-panel';
import { PassesPanel } from './passes-table';
import { recoveryQuery } from './recovery-queries';

export function RecoveryView({ role }: { role: Role }) {
  const { data, error, refetch, isFetching } = useQuery(recoveryQuery());
  return (
    <div className="flex flex-col gap-4">
      <PageHeader
        title="Recovery"
        description="Frees clusters whose operation lost its server, and says for each one why, or why not."
      />
      {data === undefined ? (
        error === null ? (
          <Skeleton lines={8} label="Loading the recovery" />
        ) : (
          <FailedState
            title="The recovery could not be read"
            text={error.message}
            reference={error instanceof RequestFailed ? error.reference : undefined}
            onRetry={() => void refetch()}
            isBusy={isFetching}
          />
        )
      ) : (
        <>
          <HealthPanel health={data.health} strip={data.strip} />
          <LegacyGatePanel gate={data.gate} role={role} />
          <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_20rem]">
            <CandidatesPanel health={data.health} gate={data.gate.holdsAll} role={role} />
            <Panel id="rules" title="What it rests on">
              <RecoveryRules health={data.health} />
            </Panel>
          </div>
          <PassesPanel />
        </>
      )}
    </div>
  );
}
