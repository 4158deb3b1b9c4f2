import 'server-only';
import { watchPeerAddresses } from '@/auth/client-address';
import { startRuntime } from './runtime';

/** What `instrumentation.ts` does under Node.js; of a file of its own, so that no other runtime's build sees it. */
export async function startServer(): Promise<void> {
  watchPeerAddresses();
  try {
    await startRuntime();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
