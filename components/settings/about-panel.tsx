import { routes } from '@/components/routes';
import { Badge } from '@/components/ui/badge';
import { Callout } from '@/components/ui/callout';
import { Copyable } from '@/components/ui/copyable';
import { type KeyValue, KeyValues } from '@/components/ui/key-values';
import { Panel } from '@/components/ui/panel';
import { TextLink } from '@/components/ui/text-link';
import { durationText } from '@/components/ui/time-format';
import type { InstallationFacts } from '@/db/queries/installation-facts';
import type { SettingName, SettingsRisk } from '@/domain/settings-risks';

export interface About {
  readonly version: string;
  readonly facts: InstallationFacts;
  readonly cloudHost: string;
  readonly cloudIsSimulated: boolean;
  readonly publicUrl: string;
  readonly autoscalerUrl: string;
  readonly beatMs: number;
  readonly leaseMs: number;
  readonly cronPeriodMs: number;
  readonly cronSecretIsSet: boolean;
  readonly retentionHours: number;
  readonly risks: readonly SettingsRisk[];
}

const riskTitles: Readonly<Record<SettingName, string>> = {
  lease: 'Lease and beat',
  cron: 'Recovery passes',
  retention: 'Job retention',
  'public-url': 'Public address',
  clock: 'Clock',
  protocol: 'Servers of two versions',
};

/** What is set where this server starts: shown, not changed, here. */
export function AboutPanels({ about }: { about: About }) {
  return (
    <div className="grid gap-4">
      <Risks risks={about.risks} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Panel id="about" title="About this installation" description="As the server sees it that you are on.">
          <KeyValues items={installationItems(about)} />
        </Panel>
        <Panel
          id="timing"
          title="Timing and recovery"
          description="Set by environment variables; a restart reads them."
        >
          <KeyValues items={timingItems(about)} />
        </Panel>
      </div>
    </div>
  );
}

function Risks({ risks }: { risks: readonly SettingsRisk[] }) {
  if (risks.length === 0) return null;
  const isDanger = risks.some((risk) => risk.severity === 'danger');
  const title = risks.length === 1 ? 'One thing here is risky' : `${risks.length} things here are risky`;
  return (
    <Callout tone={isDanger ? 'danger' : 'warning'} title={title}>
      <ul className="mt-1 grid gap-1">
        {risks.map((risk) => (
          <li key={risk.setting}>
            <span className="font-medium">{riskTitles[risk.setting]}.</span> {risk.text}
          </li>
        ))}
      </ul>
    </Callout>
  );
}

function installationItems({
  version,
  facts,
  cloudHost,
  cloudIsSimulated,
  publicUrl,
  autoscalerUrl,
}: About): KeyValue[] {
  const { schema } = facts;
  return [
    { label: 'Holdfast', value: version },
    { label: 'Servers', value: <Fleet facts={facts} /> },
    {
      label: 'Schema',
      value: `${schema.applied} migrations${schema.applied === schema.known ? '' : `; this server knows ${schema.known}`}`,
    },
    { label: 'PostgreSQL', value: facts.postgresVersion },
    {
      label: 'Cloud',
      value: (
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="font-mono text-xs wrap-anywhere">{cloudHost}</span>
          {cloudIsSimulated ? <Badge tone="violet">simulated</Badge> : null}
        </span>
      ),
    },
    { label: 'Public address', value: <span className="font-mono text-xs wrap-anywhere">{publicUrl}</span> },
    { label: 'Autoscalers call', value: <span className="font-mono text-xs wrap-anywhere">{autoscalerUrl}</span> },
    {
      label: 'Installation',
      value: (
        <Copyable
          value={facts.installationId}
          shown={facts.installationId.slice(0, 8)}
          label="Copy the installation id"
        />
      ),
    },
  ];
}

/** "3 up, protocol 2"; with several versions each with its count. */
function Fleet({ facts: { fleet, thisServer } }: { facts: InstallationFacts }) {
  const total = fleet.reduce((sum, each) => sum + each.count, 0);
  const [first] = fleet;
  const words =
    fleet.length === 1 && first !== undefined
      ? `${total} of version ${first.version}, protocol ${first.protocol}`
      : fleet.map((each) => `${each.count} of version ${each.version}, protocol ${each.protocol}`).join('; ');
  return (
    <>
      <TextLink href={routes.servers}>{words}</TextLink>
      {thisServer === null ? null : (
        <span className="block text-xs text-faint">
          You are on <TextLink href={routes.server(thisServer.id)}>{thisServer.name}</TextLink>
        </span>
      )}
    </>
  );
}

function timingItems({ beatMs, leaseMs, cronPeriodMs, cronSecretIsSet, retentionHours }: About): KeyValue[] {
  return [
    { label: 'Beat', value: <Setting value={`every ${spoken(beatMs)}`} name="HOLDFAST_BEAT_MS" /> },
    {
      label: 'Lease',
      value: (
        <Setting
          value={spoken(leaseMs)}
          name="HOLDFAST_LEASE_MS"
          note="After this long without a beat a server has departed."
        />
      ),
    },
    {
      label: 'Passes',
      value: (
        <Setting
          value={cronSecretIsSet ? `every ${spoken(cronPeriodMs)}` : 'closed: no secret is set'}
          name={cronSecretIsSet ? 'HOLDFAST_CRON_PERIOD_MS' : 'CRON_SECRET'}
          note={
            cronSecretIsSet
              ? `A cluster of a server that dies is free after some ${spoken(leaseMs + cronPeriodMs)}.`
              : undefined
          }
        />
      ),
    },
    {
      label: 'Job retention',
      value: (
        <Setting
          value={durationText(retentionHours * hourMs, true)}
          name="HOLDFAST_JOB_RETENTION_HOURS"
          note="Finished jobs that nothing refers to are pruned then."
        />
      ),
    },
  ];
}

const hourMs = 3_600_000;

/** "2 s", "350 ms": settings of less than a second are for tests, and must not read as none. */
function spoken(ms: number): string {
  return ms % 1000 === 0 ? durationText(ms) : ms < 1000 ? `${ms} ms` : `${ms / 1000} s`;
}

function Setting({ value, name, note }: { value: string; name: string; note?: string | undefined }) {
  return (
    <>
      <span className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span>{value}</span>
        <code className="font-mono text-xs wrap-anywhere text-faint">{name}</code>
      </span>
      {note === undefined ? null : <span className="block text-xs text-faint">{note}</span>}
    </>
  );
}
