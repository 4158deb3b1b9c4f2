/** Runs once in each server process, before it serves. A server that cannot start says why and exits. */
export async function register(): Promise<void> {
  if (process.env['NEXT_RUNTIME'] !== 'nodejs') return;
  const { watchPeerAddresses } = await import('./auth/client-address');
  watchPeerAddresses();
  const { startRuntime } = await import('./runtime');
  try {
    await startRuntime();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
