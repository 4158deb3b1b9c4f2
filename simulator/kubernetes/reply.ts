/** What an API server answers. */

import type { JsonObject } from '@/simulator/core/json';

/** An answer that is a whole body; watches write their own. */
export interface Reply {
  status: number;
  body: unknown;
  contentType?: string;
}

export const json = (status: number, body: JsonObject): Reply => ({ status, body });
