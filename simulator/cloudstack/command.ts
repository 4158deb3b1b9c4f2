/** What a command is: one row of the table that drives parsing, checks, answers and `listApis`. */
import type { JsonObject } from '@/simulator/core/json';
import type { Origin } from '@/simulator/core/ledger';
import type { World } from '@/simulator/world';
import type { JobWork } from './jobs';
import type { Args, Parameter } from './parameters';

export interface Caller {
  account: string;
  user: string;
  isRoot: boolean;
  readOnly: boolean;
}

/** One request on its way through a command. */
export interface Call {
  world: World;
  caller: Caller;
  origin: Origin;
}

export interface JobOutcome {
  kind: 'job';
  /** The new entity's id, for creates. */
  id?: string;
  instanceType: string;
  instanceId: string;
  work: JobWork;
  /** Undoes the create phase as CloudStack would when the job fails before its work. */
  failed?: () => void;
}

export type Outcome = { kind: 'answer'; body: JsonObject } | JobOutcome;

export interface Command {
  name: string;
  description: string;
  kind: 'sync' | 'async' | 'create';
  /** The answer's top key where it is not the command in lower case plus `response`. */
  answer?: string;
  rootOnly?: boolean;
  parameters: Record<string, Parameter>;
  fields: readonly string[];
  run: (call: Call, args: Args) => Outcome | Promise<Outcome>;
}

export const answer = (body: JsonObject): Outcome => ({ kind: 'answer', body });

export function answerKey(command: Command): string {
  return command.answer ?? `${command.name.toLowerCase()}response`;
}
