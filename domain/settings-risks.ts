/** Settings that check each other (interface B11): which values are allowed and yet risky, and why. Pure. */
import { operations } from './operations';

export interface SettingsInForce {
  readonly beatMs: number;
  readonly leaseMs: number;
  readonly cronPeriodMs: number;
  readonly retentionHours: number;
  readonly cronSecretIsSet: boolean;
  readonly publicUrl: string;
  readonly cloudIsSimulated: boolean;
  /** How far this server's clock is from PostgreSQL's. */
  readonly clockSkewMs: number;
  /** Of the servers that are up. */
  readonly protocols: readonly number[];
}

export type SettingName = 'lease' | 'cron' | 'retention' | 'public-url' | 'clock' | 'protocol';

export interface SettingsRisk {
  readonly setting: SettingName;
  readonly severity: 'warning' | 'danger';
  readonly text: string;
}

/** Beats that may be missed before a server counts as gone: below this, one slow moment costs it its work. */
const fewestBeats = 4;
/** A pause for memory or disk of this length happens to healthy servers. */
const shortestLeaseMs = 3_000;
const longestLeaseMs = 60_000;
const longestPeriodMs = 60_000;
/** Whoever looks into a failure of Friday on Monday, or after a week away, should find its jobs. */
const shortestRetentionHours = 7 * 24;
const largestSkewMs = 5_000;

const longestOperationHours = Math.max(...Object.values(operations).map((row) => row.timeoutSeconds)) / 3600;

export function settingsRisks(settings: SettingsInForce): readonly SettingsRisk[] {
  return [...leaseRisks(settings), ...cronRisks(settings), ...retentionRisks(settings), ...surroundingRisks(settings)];
}

function risk(setting: SettingName, text: string, severity: SettingsRisk['severity'] = 'warning'): SettingsRisk {
  return { setting, severity, text };
}

const seconds = (ms: number) => `${ms / 1000} s`;

function leaseRisks({ beatMs, leaseMs }: SettingsInForce): SettingsRisk[] {
  if (leaseMs < beatMs * fewestBeats) {
    return [
      risk(
        'lease',
        `A lease of ${seconds(leaseMs)} is over after ${Math.floor(leaseMs / beatMs)} missed beats of ${seconds(beatMs)}: a busy server may lose its work. At least ${fewestBeats} beats are safer.`,
      ),
    ];
  }
  if (leaseMs < shortestLeaseMs) {
    return [risk('lease', `A pause of ${seconds(leaseMs)} happens to healthy servers; each would end its operations.`)];
  }
  if (leaseMs > longestLeaseMs) {
    return [
      risk('lease', `Clusters of a server that died stay held for ${seconds(leaseMs)} before a pass may free them.`),
    ];
  }
  return [];
}

function cronRisks({ cronPeriodMs, leaseMs, cronSecretIsSet }: SettingsInForce): SettingsRisk[] {
  if (!cronSecretIsSet) {
    const text =
      'CRON_SECRET is not set, so the cron route is closed: clusters of a server that dies stay held until somebody runs a pass by hand.';
    return [risk('cron', text, 'danger')];
  }
  if (cronPeriodMs > leaseMs) {
    return [
      risk(
        'cron',
        `A pass every ${seconds(cronPeriodMs)} is rarer than a lease of ${seconds(leaseMs)} runs out: recovery takes up to ${seconds(cronPeriodMs + leaseMs)}.`,
      ),
    ];
  }
  if (cronPeriodMs > longestPeriodMs) return [risk('cron', `A pass comes only every ${seconds(cronPeriodMs)}.`)];
  return [];
}

function retentionRisks({ retentionHours }: SettingsInForce): SettingsRisk[] {
  if (retentionHours <= longestOperationHours) {
    const text = `Jobs are pruned after ${retentionHours} h, and an operation may take ${longestOperationHours} h: its history may go while it is needed.`;
    return [risk('retention', text, 'danger')];
  }
  if (retentionHours < shortestRetentionHours) {
    return [
      risk('retention', `Finished jobs are pruned after ${retentionHours} h: what failed a week ago is gone then.`),
    ];
  }
  return [];
}

function surroundingRisks({ publicUrl, cloudIsSimulated, clockSkewMs, protocols }: SettingsInForce): SettingsRisk[] {
  const { hostname, protocol } = new URL(publicUrl);
  const isLoopback = /^(localhost|127\.|\[::1\])/.test(hostname);
  const found: SettingsRisk[] = [];
  if (!cloudIsSimulated && isLoopback) {
    found.push(
      risk(
        'public-url',
        `Machines in the cloud cannot reach ${hostname}: autoscaling cannot work. Set HOLDFAST_PUBLIC_URL.`,
      ),
    );
  } else if (!isLoopback && protocol === 'http:') {
    found.push(risk('public-url', 'Sessions and autoscalers reach Holdfast without encryption. Put it behind https.'));
  }
  if (Math.abs(clockSkewMs) > largestSkewMs) {
    const text = `This server's clock is ${Math.round(Math.abs(clockSkewMs) / 1000)} s ${clockSkewMs > 0 ? 'ahead of' : 'behind'} PostgreSQL's. Leases do not mind; signatures and certificates may.`;
    found.push(risk('clock', text));
  }
  if (new Set(protocols).size > 1) {
    found.push(
      risk('protocol', 'Servers of two versions are up: recovery waits for jobs of the older ones. Replace them soon.'),
    );
  }
  return found;
}
