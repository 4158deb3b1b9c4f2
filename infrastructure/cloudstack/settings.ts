/** How the driver is opened; everything has a default but where and who. */
export interface CloudStackOptions {
  /** As in `https://host:8080/client/api`. */
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly secretKey: string;
  /** As in `holdfast/0.1.0`. */
  readonly userAgent: string;
  readonly timeouts?: Partial<Timeouts>;
  /** The longest wait between two looks at a job or a machine; the first ones are shorter. */
  readonly pollMs?: number;
  /** `vm.userdata.max.length` of the cloud. */
  readonly userDataLimit?: number;
}

export interface Timeouts {
  /** One HTTP request. */
  readonly requestMs: number;
  /** The request of a deploy, whose create phase runs before the answer. */
  readonly deployMs: number;
  /** A job that moves no machine: rules, tags, drives. */
  readonly shortJobMs: number;
  /** A job that starts, stops, restores or removes something. */
  readonly longJobMs: number;
}

export interface Settings {
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly secretKey: string;
  readonly userAgent: string;
  readonly timeouts: Timeouts;
  readonly pollMs: number;
  readonly userDataLimit: number;
}

const defaultTimeouts: Timeouts = { requestMs: 30_000, deployMs: 120_000, shortJobMs: 180_000, longJobMs: 600_000 };
const defaultPollMs = 2_000;
const defaultUserDataLimit = 32_768;

export function withDefaults(options: CloudStackOptions): Settings {
  return {
    ...options,
    timeouts: { ...defaultTimeouts, ...options.timeouts },
    pollMs: options.pollMs ?? defaultPollMs,
    userDataLimit: options.userDataLimit ?? defaultUserDataLimit,
  };
}
