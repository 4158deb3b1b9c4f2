/**
 * The one command: `npm run up [-- --servers N] [--port P] [--no-restart]`, `npm run dev`. Each step is skipped when it is done
 * already. Imports nothing but Node's own modules, because it runs before packages are installed.
 */
import { join } from 'node:path';
import { ensureBuild } from './lib-build.mjs';
import { ownCronSecret, ownSecretKey, readJson, removeFile, statePath, writePrivate } from './lib-folder.mjs';
import { ensurePackages } from './lib-install.mjs';
import { endLeftovers } from './lib-leftovers.mjs';
import { tryLock } from './lib-lock.mjs';
import { isPortFree, portHolder } from './lib-ports.mjs';
import { processIdentity } from './lib-process.mjs';
import { externalDatabase, readOptions, requireNode, requireSecretKey, whichCloud } from './lib-requirements.mjs';
import { PlainError, readable, say, sayFailure } from './lib-say.mjs';
import { migrate, productEnvironment, serverEnvironment, serverUrl, serverWords, setupLink } from './lib-servers.mjs';
import { startSimulator } from './lib-simulator.mjs';
import { supervise, waitForAnswer } from './lib-supervise.mjs';
import { startPostgres } from './postgres.mjs';

const serverGraceMs = 25_000;
const readyWithinMs = 60_000;
const firstPageInDevMs = 180_000;
/** npm passes a Ctrl-C on that the terminal has already delivered; only a later one is a second wish. */
const secondSignalAfterMs = 1500;

const upFile = statePath('up.json');
/** @type {{ what: string, end: () => Promise<unknown> }[]} what was started, in that order */
const started = [];
/** @type {{ postgres?: object, simulator?: object, servers?: object[], cron?: object, [name: string]: unknown }} */
const facts = { pid: process.pid, identity: processIdentity(process.pid), startedAt: new Date().toISOString() };
let stopping = false;
/** Until the folder is ours, nothing in it is touched: another start may be at work. */
let claimed = false;

async function up() {
  requireNode();
  const options = readOptions(process.argv.slice(2));
  const cloud = whichCloud();
  const external = externalDatabase();
  requireSecretKey();
  claimFolder();
  await endLeftovers(readJson(upFile), say);
  const ports = Array.from({ length: options.servers }, (_, index) => options.port + index);
  await requirePorts(ports);
  const secretKey = ownSecretKey();
  const cronSecret = ownCronSecret();
  await ensurePackages(say);

  // The build takes longest and needs none of the others.
  const built = options.dev ? Promise.resolve(false) : ensureBuild({ secretKey, log: say });
  const prepared = prepareOutside({ external, cloud, secretKey, cronSecret, ports });
  const [wasBuilt, { env, link }] = await Promise.all([built, prepared]);
  if (wasBuilt) say('Built');

  await startServers({ ports, env, secretKey, dev: options.dev, restart: options.restart });
  startCron(ports, env);
  greet(ports, await link);
}

/** Database and cloud. @param {{ external: string | undefined, cloud: 'real' | 'simulated', secretKey: string, cronSecret: string, ports: number[] }} wanted */
async function prepareOutside({ external, cloud, secretKey, cronSecret, ports }) {
  const databaseUrl = external ?? (await startOwnDatabase());
  const env = productEnvironment({ databaseUrl, secretKey, cronSecret, ports });
  const [cloudEnv] = await Promise.all([cloud === 'simulated' ? startOwnCloud() : {}, migrate(env)]);
  say(external === undefined ? 'Database is at this version' : 'Your database (DATABASE_URL) is at this version');
  const link = setupLink(env, { onlyIfNoUser: true });
  // Awaited later; a failure in between must not end the program on its own.
  link.catch(() => undefined);
  return { env: { ...env, ...cloudEnv }, link };
}

async function startOwnDatabase() {
  const server = await startPostgres({ dataDir: statePath('pg'), log: say });
  started.push({ what: 'PostgreSQL', end: server.stop });
  say(`PostgreSQL ${server.adopted ? 'runs already' : 'is started'} on port ${server.port}`);
  remember({ postgres: { pid: server.pid, port: server.port, url: server.url } });
  return server.url;
}

async function startOwnCloud() {
  const cloud = await startSimulator({
    settingsFile: statePath('simulator.json'),
    dataDir: statePath('simulator'),
    logFile: statePath('logs', 'simulator.log'),
    say,
    onChange: () => refreshIdentities(),
  });
  started.push({ what: 'the simulated cloud', end: () => cloud.program.stop(10_000) });
  say(`Simulated cloud is started: ${cloud.apiUrl}`);
  programs.simulator = cloud.program;
  remember({ simulator: { apiUrl: cloud.apiUrl, controlUrl: cloud.controlUrl } });
  return cloud.productEnv;
}

/** @type {Record<string, import('./lib-supervise.mjs').Supervised>} */
const programs = {};

/** @param {{ ports: number[], env: Record<string, string | undefined>, secretKey: string, dev: boolean, restart: boolean }} wanted */
async function startServers({ ports, env, secretKey, dev, restart }) {
  if (stopping) return;
  const servers = ports.map((port, index) => {
    const name = `server-${index + 1}`;
    const server = supervise({
      name,
      words: serverWords(port, { dev }),
      env: { ...env, ...serverEnvironment({ name, port, secretKey, dev }) },
      logFile: statePath('logs', `${name}.log`),
      restart: false,
      onTerminal: dev,
      say,
      onChange: () => refreshIdentities(),
    });
    programs[name] = server;
    return { server, port };
  });
  started.push({ what: 'servers', end: () => Promise.all(servers.map(({ server }) => server.stop(serverGraceMs))) });
  remember({ servers: servers.map(({ server, port }) => ({ name: server.name, port, url: serverUrl(port) })) });
  const withinMs = dev ? firstPageInDevMs : readyWithinMs;
  await Promise.all(
    servers.map(({ server, port }) => waitForAnswer(server, `${serverUrl(port)}/api/health/ready`, { withinMs })),
  );
  // Only a server that has once been ready is started again: one that never was would fail the same way for ever.
  if (restart && !dev) for (const { server } of servers) server.keepAlive();
}

/** @param {number[]} ports @param {Record<string, string | undefined>} env */
function startCron(ports, env) {
  if (stopping) return;
  const cron = supervise({
    name: 'The cron caller',
    words: [process.execPath, join(import.meta.dirname, 'cron.mjs')],
    env: {
      CRON_SECRET: env['CRON_SECRET'],
      HOLDFAST_CRON_TARGETS: ports.map(serverUrl).join(','),
      HOLDFAST_EXIT_WITH_PARENT: '1',
    },
    logFile: statePath('logs', 'cron.log'),
    restart: true,
    say,
    onChange: () => refreshIdentities(),
  });
  programs['cron'] = cron;
  started.push({ what: 'the cron caller', end: () => cron.stop(5000) });
  remember({ cron: {} });
}

/** @param {number[]} ports @param {string | undefined} link */
function greet(ports, link) {
  if (stopping) return;
  const addresses = ports.map((port) => `  ${serverUrl(port)}`).join('\n');
  const first =
    link === undefined
      ? ''
      : `\nNobody has an account yet. This link makes the first admin; it works once:\n  ${link}\n`;
  say('Ready');
  process.stdout.write(
    `\nHoldfast runs:\n${addresses}\n${first}\nLogs: ${statePath('logs')}. Stop it with Ctrl-C.\n\n`,
  );
}

function claimFolder() {
  const lock = tryLock(statePath('up.lock'));
  if ('release' in lock) {
    claimed = true;
    process.on('exit', lock.release);
    return;
  }
  const at = (readJson(upFile)?.servers ?? []).map((/** @type {{ url: string }} */ { url }) => url).join(', ');
  throw new PlainError(`Holdfast runs in this folder already (process ${lock.heldBy}${at === '' ? '' : `, ${at}`}).`);
}

/** @param {number[]} ports */
async function requirePorts(ports) {
  for (const port of ports) {
    if (await isPortFree(port)) continue;
    const holder = portHolder(port);
    throw new PlainError(
      `Port ${port} is taken${holder === undefined ? '' : ` by ${holder}`}. End that, or choose another one: npm run up -- --port ${port + 1000}`,
    );
  }
}

/** @param {object} more */
function remember(more) {
  Object.assign(facts, more);
  refreshIdentities();
}

/** Scripts and the next `up` find the processes here. */
function refreshIdentities() {
  const of = (/** @type {string} */ name) => ({ pid: programs[name]?.pid(), identity: programs[name]?.identity() });
  if (facts.simulator) Object.assign(facts.simulator, of('simulator'));
  if (facts.cron) Object.assign(facts.cron, of('cron'));
  for (const server of facts.servers ?? []) Object.assign(server, of(/** @type {{ name: string }} */ (server).name));
  if (claimed && !stopping) writePrivate(upFile, JSON.stringify(facts, null, 2));
}

/** Ends everything in the opposite order of its start. @param {number} code */
async function stop(code) {
  if (stopping) return;
  stopping = true;
  for (const { what, end } of started.toReversed()) {
    say(`Stopping ${what}`);
    await end().catch(sayFailure);
  }
  if (claimed) removeFile(upFile);
  if (started.length > 0) say('Stopped');
  process.exit(process.exitCode ?? code);
}

let askedAt = 0;
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => {
    if (askedAt === 0) void stop(0);
    else if (Date.now() - askedAt > secondSignalAfterMs) {
      say('Not waiting any longer');
      for (const program of Object.values(programs)) void program.stop(0);
    }
    if (askedAt === 0) askedAt = Date.now();
  });
}

try {
  await up();
} catch (error) {
  if (!stopping) {
    sayFailure(readable(error));
    await stop(1);
  }
}
