/** The simulated cloud: a process of its own, whose keys and ports stay the same from start to start. */
import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { readJson, writePrivate } from './lib-folder.mjs';
import { freePort } from './lib-ports.mjs';
import { PlainError } from './lib-say.mjs';
import { supervise } from './lib-supervise.mjs';

const defaultPort = 8180;
/** Loopback networks 127.60 to 127.249; lower ones are for those who start the simulated cloud by hand, and for tests. */
const [firstSubnet, lastSubnet] = [60, 250];
const readyWithinMs = 30_000;

/**
 * @param {object} options
 * @param {string} options.settingsFile keys and ports
 * @param {string} options.dataDir
 * @param {string} options.logFile
 * @param {boolean} [options.restart]
 * @param {boolean} [options.anyPort] not the usual one, for tests beside a running product
 * @param {Record<string, string | undefined>} [options.env] further SIMULATOR_ variables
 * @param {(text: string) => void} [options.say]
 * @param {() => void} [options.onChange]
 */
export async function startSimulator({
  settingsFile,
  dataDir,
  logFile,
  restart = true,
  anyPort = false,
  env = {},
  say,
  onChange,
}) {
  const kept = await keptSettings(settingsFile, anyPort);
  const program = supervise({
    name: 'The simulated cloud',
    words: [process.execPath, '--import', 'tsx', 'simulator/main.ts'],
    env: {
      SIMULATOR_SPEED: process.env['SIMULATOR_SPEED'],
      SIMULATOR_SUBNET: kept.subnet,
      ...env,
      SIMULATOR_PORT: String(kept.port),
      SIMULATOR_CONTROL_PORT: String(kept.controlPort),
      SIMULATOR_CONTROL_SECRET: kept.controlSecret,
      SIMULATOR_API_KEY: kept.apiKey,
      SIMULATOR_SECRET_KEY: kept.secretKey,
      SIMULATOR_DATA_DIR: dataDir,
      SIMULATOR_EXIT_WITH_PARENT: '1',
    },
    logFile,
    restart,
    ...(say && { say }),
    ...(onChange && { onChange }),
  });
  const { apiUrl, controlUrl } = await readyLine(program);
  return {
    program,
    apiUrl,
    controlUrl,
    controlSecret: kept.controlSecret,
    productEnv: {
      CLOUDSTACK_API_URL: apiUrl,
      CLOUDSTACK_API_KEY: kept.apiKey,
      CLOUDSTACK_SECRET_KEY: kept.secretKey,
      HOLDFAST_SIMULATED_CLOUD: '1',
      HOLDFAST_SIMULATOR_CONTROL_URL: controlUrl,
      HOLDFAST_SIMULATOR_CONTROL_SECRET: kept.controlSecret,
    },
  };
}

/**
 * @param {string} file
 * @param {boolean} anyPort
 * @returns {Promise<{ port: number, controlPort: number, subnet: string, controlSecret: string, apiKey: string, secretKey: string }>}
 */
async function keptSettings(file, anyPort) {
  const secret = () => randomBytes(32).toString('base64url');
  const before = readJson(file) ?? { controlSecret: secret(), apiKey: secret(), secretKey: secret() };
  const usual = Number(process.env['SIMULATOR_PORT'] ?? before.port ?? defaultPort);
  const port = await freePort(anyPort ? undefined : usual);
  const controlPort = await freePort(anyPort ? undefined : (before.controlPort ?? port + 1));
  // Drawn once and kept: recorded clusters have these addresses, and a second product on this machine has others.
  const subnet = before.subnet ?? `127.${randomInt(firstSubnet, lastSubnet)}`;
  const settings = { ...before, port, controlPort, subnet };
  writePrivate(file, JSON.stringify(settings, null, 2));
  return settings;
}

/** @param {import('./lib-supervise.mjs').Supervised} program @returns {Promise<{ apiUrl: string, controlUrl: string }>} */
async function readyLine(program) {
  const until = Date.now() + readyWithinMs;
  while (Date.now() < until) {
    const line = program
      .logTail()
      .split('\n')
      .find((text) => text.startsWith('{"ready":true'));
    if (line !== undefined) return JSON.parse(line);
    if (program.pid() === undefined) throw new PlainError(`The simulated cloud did not start.\n${program.logTail()}`);
    await sleep(50);
  }
  throw new PlainError(`The simulated cloud was not ready within ${readyWithinMs / 1000} s.\n${program.logTail()}`);
}
