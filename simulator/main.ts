/**
 * The simulated cloud as a process. What belongs here: reading the start parameters, saying that it is ready, and ending
 * well. Everything else is in `start-simulator.ts`.
 */
import { readSettings } from './settings';
import { startSimulator } from './start-simulator';

const parentCheckMs = 500;

async function main(): Promise<void> {
  const settings = readSettings(process.env, process.argv.slice(2));
  const simulator = await startSimulator(settings);
  let ending = false;
  const end = () => {
    if (ending) return;
    ending = true;
    void simulator.stop().finally(() => process.exit(0));
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  // Whatever goes wrong inside, the cloud stays up: a test would otherwise look at the wrong failure.
  process.on('uncaughtException', (error) => console.error(error));
  process.on('unhandledRejection', (error) => console.error(error));
  if (settings.exitWithParent) {
    const parent = process.ppid;
    setInterval(() => process.ppid !== parent && end(), parentCheckMs).unref();
  }
  process.stdout.write(
    `${JSON.stringify({ ready: true, apiUrl: simulator.apiUrl, controlUrl: simulator.controlUrl })}\n`,
  );
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
