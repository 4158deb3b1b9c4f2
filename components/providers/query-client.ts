import { environmentManager, QueryClient } from '@tanstack/react-query';
import { RequestFailed } from '@/components/request';

/** Live updates say when data is old; this only covers what they cannot see. */
const staleMs = 30_000;

function makeClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: staleMs,
        // What the server refused will not be granted by asking again.
        retry: (failures, error) => !(error instanceof RequestFailed && error.isFinal) && failures < 2,
        retryDelay: (attempt) => Math.min(500 * 2 ** attempt, 4_000),
      },
    },
  });
}

let browserClient: QueryClient | undefined;

/** One client a browser, one a request on the server (pages prefetch into it and hand it over dehydrated). */
export function queryClient(): QueryClient {
  if (environmentManager.isServer()) return makeClient();
  browserClient ??= makeClient();
  return browserClient;
}
