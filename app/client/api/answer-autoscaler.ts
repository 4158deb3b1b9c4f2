import 'server-only';
import { unexpected } from '@/app/actions/admin-action';
import { autoscalerCaller, namedIn } from '@/auth/autoscaler-key';
import { databaseIsAway } from '@/db/errors';
import { scalableCluster } from '@/db/queries/autoscaler';
import type { Parameters } from '@/infrastructure/signature';
import type { WorkerContext } from '@/worker/context';
import { failure, unverified } from './cloudstack-answer';
import { served } from './served-commands';

/** Far more than any of the commands needs. */
const largestBodyBytes = 32_000;

/**
 * The facade that a cluster's autoscaler takes for CloudStack (cloud.md D.8). Each key pair sees and scales one cluster; whatever is
 * wrong with key, signature or command is one and the same 401.
 */
export async function answerAutoscaler(worker: WorkerContext, request: Request): Promise<Response> {
  let command: string | null = null;
  try {
    const parameters = await parametersOf(request);
    if (parameters === null) return unverified(null);
    const named = namedIn(parameters, 'command') ?? '';
    command = Object.hasOwn(served, named) ? named : null;
    const caller = await autoscalerCaller(worker, parameters, new Date());
    const wanted = command === null ? undefined : served[command];
    const cluster = caller === null ? undefined : await scalableCluster(worker.db, caller.clusterId);
    if (caller === null || wanted === undefined || cluster === undefined) return unverified(command);
    return await wanted.run({ worker, caller, parameters, cluster });
  } catch (error) {
    if (databaseIsAway(error)) return failure(command, 503, 'The database does not answer. Try again in a moment.');
    const { reference } = unexpected(error);
    return failure(command, 530, `Something unexpected went wrong; it is logged under ${reference}.`);
  }
}

/** Query and form body as one; a name in the query counts before the same name in the body, the first of several before the others. */
async function parametersOf(request: Request): Promise<Parameters | null> {
  const pairs = [...new URL(request.url).searchParams];
  if (request.method === 'POST') {
    const body = await request.text();
    if (body.length > largestBodyBytes) return null;
    pairs.push(...new URLSearchParams(body));
  }
  const parameters = new Map<string, string>();
  for (const [name, value] of pairs) if (!parameters.has(name)) parameters.set(name, value);
  return Object.fromEntries(parameters);
}
