/** The start parameters, read once: flags (`--port 0`) win over the environment (`SIMULATOR_PORT`). */
export interface Settings {
  port: number;
  controlPort: number;
  /** Empty: the control port refuses everybody. */
  controlSecret: string;
  dataDirectory: string | null;
  speed: number;
  apiKey: string;
  secretKey: string;
  adminApiKey: string;
  adminSecretKey: string;
  readerApiKey: string;
  readerSecretKey: string;
  /** Whether the tenant `holdfast` is a root admin or a plain user. */
  tenantRole: 'root' | 'user';
  subnet: string;
  zones: number;
  seed: number;
  exitWithParent: boolean;
  /** A rule without a living backend: `closed` refuses connections, `reset` accepts and breaks them off. */
  deadBackend: 'closed' | 'reset';
  /** The server setting `enforce.post.requests.and.timestamps`. */
  enforcePost: boolean;
  maxUserDataLength: number;
  addressCount: number;
}

export const defaultSettings: Settings = {
  port: 8180,
  controlPort: 8181,
  controlSecret: '',
  dataDirectory: null,
  speed: 1,
  apiKey: 'holdfast-demo-key',
  secretKey: 'holdfast-demo-secret',
  adminApiKey: 'admin-demo-key',
  adminSecretKey: 'admin-demo-secret',
  readerApiKey: 'reader-demo-key',
  readerSecretKey: 'reader-demo-secret',
  tenantRole: 'root',
  subnet: '127.20',
  zones: 1,
  seed: 1,
  exitWithParent: false,
  deadBackend: 'closed',
  enforcePost: false,
  maxUserDataLength: 32_768,
  addressCount: 200,
};

type Source = (name: string) => string | undefined;

function sourceOf(environment: NodeJS.ProcessEnv, flags: readonly string[]): Source {
  return (name) => {
    const flag = `--${name.replaceAll('_', '-').toLowerCase()}`;
    const at = flags.findIndex((entry) => entry === flag || entry.startsWith(`${flag}=`));
    const entry = flags[at];
    if (entry !== undefined) return entry.includes('=') ? entry.slice(entry.indexOf('=') + 1) : flags[at + 1];
    const value = environment[`SIMULATOR_${name}`];
    return value === '' ? undefined : value;
  };
}

function numberOf(source: Source, name: string, fallback: number): number {
  const value = source(name);
  if (value === undefined) return fallback;
  const parsed = Number(value);
  if (!Number.isFinite(parsed) || parsed < 0)
    throw new Error(`SIMULATOR_${name} must be a number of 0 or more, not "${value}"`);
  return parsed;
}

function choiceOf<T extends string>(source: Source, name: string, choices: readonly T[], fallback: T): T {
  const value = source(name);
  if (value === undefined) return fallback;
  const choice = choices.find((entry) => entry === value);
  if (choice === undefined) throw new Error(`SIMULATOR_${name} must be one of ${choices.join(', ')}, not "${value}"`);
  return choice;
}

/** Parses everything; throws an error that names the parameter which is wrong. */
export function readSettings(environment: NodeJS.ProcessEnv, flags: readonly string[]): Settings {
  const source = sourceOf(environment, flags);
  const text = (name: string, fallback: string) => source(name) ?? fallback;
  const subnet = text('SUBNET', defaultSettings.subnet);
  if (!/^127\.\d{1,3}$/.test(subnet)) throw new Error(`SIMULATOR_SUBNET must look like 127.20, not "${subnet}"`);
  return {
    port: numberOf(source, 'PORT', defaultSettings.port),
    controlPort: numberOf(source, 'CONTROL_PORT', defaultSettings.controlPort),
    controlSecret: text('CONTROL_SECRET', defaultSettings.controlSecret),
    dataDirectory: source('DATA_DIR') ?? null,
    speed: numberOf(source, 'SPEED', defaultSettings.speed),
    apiKey: text('API_KEY', defaultSettings.apiKey),
    secretKey: text('SECRET_KEY', defaultSettings.secretKey),
    adminApiKey: text('ADMIN_API_KEY', defaultSettings.adminApiKey),
    adminSecretKey: text('ADMIN_SECRET_KEY', defaultSettings.adminSecretKey),
    readerApiKey: text('READER_API_KEY', defaultSettings.readerApiKey),
    readerSecretKey: text('READER_SECRET_KEY', defaultSettings.readerSecretKey),
    tenantRole: choiceOf(source, 'TENANT_ROLE', ['root', 'user'], defaultSettings.tenantRole),
    subnet,
    zones: numberOf(source, 'ZONES', defaultSettings.zones),
    seed: numberOf(source, 'SEED', defaultSettings.seed),
    exitWithParent: source('EXIT_WITH_PARENT') === '1',
    deadBackend: choiceOf(source, 'DEAD_BACKEND', ['closed', 'reset'], defaultSettings.deadBackend),
    enforcePost: source('ENFORCE_POST') === '1',
    maxUserDataLength: numberOf(source, 'MAX_USER_DATA_LENGTH', defaultSettings.maxUserDataLength),
    addressCount: numberOf(source, 'ADDRESS_COUNT', defaultSettings.addressCount),
  };
}
