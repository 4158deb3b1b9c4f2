import { z } from 'zod';
import type { CallContext } from '@/infrastructure/cloud';
import type { Parameters } from '@/infrastructure/signature';
import { isKind, notReached } from './errors';
import { runJob } from './jobs';
import { readAs } from './read-answer';
import { type Answer, send } from './request';
import type { Settings } from './settings';

/** The few ways in which the driver talks to CloudStack; every command goes through one of them. */
export interface Api {
  readonly settings: Settings;
  read(call: CallContext, command: string, parameters: Parameters): Promise<Answer>;
  /** All pages of a list; `key` names the array. */
  list<T>(call: CallContext, command: string, parameters: Parameters, key: string, schema: z.ZodType<T>): Promise<T[]>;
  /** Like `list`, but an id that never existed is an empty list, like one that is gone (A.3). */
  listOrNone<T>(
    call: CallContext,
    command: string,
    parameters: Parameters,
    key: string,
    schema: z.ZodType<T>,
  ): Promise<T[]>;
  /** A command that is done when it answers. */
  change(call: CallContext, command: string, parameters: Parameters): Promise<Answer>;
  job(call: CallContext, command: string, parameters: Parameters, bound?: 'short' | 'long'): Promise<Answer>;
  create(call: CallContext, command: string, parameters: Parameters): Promise<Answer>;
}

const pageSize = 500;
export function openApi(settings: Settings): Api {
  const { requestMs, deployMs, shortJobMs, longJobMs } = settings.timeouts;
  const read: Api['read'] = async (call, command, parameters) => {
    // A server that slept and lost its cluster meanwhile does not even look.
    await call.authorize();
    return send(settings, call, { command, parameters, timeoutMs: requestMs, isChange: false });
  };
  const list: Api['list'] = async (call, command, parameters, key, schema) => {
    const page = z.object({ count: z.number().default(0), [key]: z.array(z.unknown()).default([]) });
    const found: unknown[] = [];
    for (let number = 1; ; number += 1) {
      const answer = await read(call, command, { ...parameters, page: String(number), pagesize: String(pageSize) });
      const parsed = page.safeParse(answer);
      const items = z.array(z.unknown()).safeParse(parsed.data?.[key]);
      if (!parsed.success || !items.success) throw notReached(command, 'the list could not be read', parsed.error);
      found.push(...items.data);
      if (items.data.length < pageSize) break;
    }
    return found.map((item) => readAs(command, schema, item));
  };
  return {
    settings,
    read,
    list,
    listOrNone: (call, command, parameters, key, schema) =>
      list(call, command, parameters, key, schema).catch((error: unknown) => {
        if (isKind(error, 'not-found')) return [];
        throw error;
      }),
    change: async (call, command, parameters) => {
      await call.authorize();
      return send(settings, call, { command, parameters, timeoutMs: requestMs, isChange: true });
    },
    job: (call, command, parameters, bound = 'short') =>
      runJob(settings, call, {
        command,
        parameters,
        requestMs,
        boundMs: bound === 'short' ? shortJobMs : longJobMs,
        isCreate: false,
      }),
    create: (call, command, parameters) =>
      runJob(settings, call, { command, parameters, requestMs: deployMs, boundMs: longJobMs, isCreate: true }),
  };
}
