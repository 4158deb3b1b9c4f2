/*
 * cloudstack/ — the driver over CloudStack's HTTP API, as `reference/cloud.md` sections A and B describe it. Nothing here knows
 * clusters. One file for each group of calls; `api.ts` is how they talk, `reach.ts` how they become repeatable.
 */
import type { Cloud } from '@/infrastructure/cloud';
import { addresses } from './addresses';
import { openApi } from './api';
import { catalogue } from './catalogue';
import { loadBalancing } from './load-balancing';
import { machineChanges } from './machine-changes';
import { machineLists } from './machine-lists';
import { machinePower } from './machine-power';
import { networks } from './networks';
import { type CloudStackOptions, withDefaults } from './settings';
import { templatePermission } from './template-permission';

/** Opens the driver. Cheap; connects with the first call. */
export function createCloudStack(options: CloudStackOptions): Cloud {
  const api = openApi(withDefaults(options));
  return {
    ...catalogue(api),
    ...networks(api),
    ...addresses(api),
    ...loadBalancing(api),
    ...templatePermission(api),
    ...machineLists(api),
    ...machineChanges(api),
    ...machinePower(api),
  };
}
