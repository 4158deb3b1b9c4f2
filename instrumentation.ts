/** Runs once in each server process, before it serves. A server that cannot start says why and exits. */
export async function register(): Promise<void> {
  // In this form Next leaves the branch out of what it builds for other runtimes.
  if (process.env['NEXT_RUNTIME'] === 'nodejs') {
    const { startServer } = await import('./start-server');
    await startServer();
  }
}
