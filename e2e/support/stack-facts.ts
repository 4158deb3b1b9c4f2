/** What the global set-up tells the specs: where everything runs, and whom to ask to kill it. */
import type { Role } from '@/domain/actor';

const variable = 'HOLDFAST_E2E_STACK';

export interface StackFacts {
  readonly servers: readonly { readonly name: string; readonly url: string }[];
  readonly databaseUrl: string;
  readonly cronSecret: string;
  /** What the app servers were given; for programs that a spec starts itself. */
  readonly environment: Readonly<Record<string, string>>;
  readonly simulator: { readonly apiUrl: string; readonly controlUrl: string; readonly controlSecret: string };
  /** An API token of each role. */
  readonly tokens: Readonly<Record<Role, string>>;
  /** The process that started the servers: only their parent can start them again. */
  readonly control: { readonly url: string; readonly secret: string };
}

export function publishStack(facts: StackFacts): void {
  process.env[variable] = JSON.stringify(facts);
}

export function stackFacts(): StackFacts {
  const text = process.env[variable];
  if (text === undefined) throw new Error('The product is not running: the global set-up of Playwright starts it');
  return JSON.parse(text) as StackFacts;
}
