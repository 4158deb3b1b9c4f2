/** TCP ports of this machine: which are free, and who has the others. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { commandLine } from './lib-process.mjs';

/** @param {number} port @param {string} [host] @returns {Promise<boolean>} */
export function isPortFree(port, host = '127.0.0.1') {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** The wanted port if it is free, else any other. @param {number} [wanted] @returns {Promise<number>} */
export async function freePort(wanted) {
  if (wanted !== undefined && (await isPortFree(wanted))) return wanted;
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port: 0, host: '127.0.0.1' }, () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

/** "by process 4711 (node …)", or nothing where that cannot be seen. @param {number} port */
export function portHolder(port) {
  const pid = process.platform === 'linux' ? holderFromProc(port) : holderFromLsof(port);
  if (pid === undefined) return undefined;
  const command = commandLine(pid);
  return `process ${pid}${command === '' ? '' : ` (${command.slice(0, 80)})`}`;
}

/** @param {number} port */
function holderFromProc(port) {
  try {
    const inode = listeningInode(port);
    if (inode === undefined) return undefined;
    for (const entry of readdirSync('/proc')) {
      if (/^\d+$/.test(entry) && holdsSocket(entry, inode)) return Number(entry);
    }
  } catch {
    // Not to be seen is not to be known.
  }
  return undefined;
}

/** @param {number} port */
function listeningInode(port) {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of readFileSync(table, 'utf8').split('\n').slice(1)) {
      const fields = line.trim().split(/\s+/);
      // 0A is LISTEN.
      if (fields[1]?.endsWith(suffix) && fields[3] === '0A') return fields[9];
    }
  }
  return undefined;
}

/** @param {string} pid @param {string} inode */
function holdsSocket(pid, inode) {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => linkOf(`/proc/${pid}/fd/${fd}`) === `socket:[${inode}]`);
  } catch {
    return false;
  }
}

/** @param {string} path */
function linkOf(path) {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** @param {number} port */
function holderFromLsof(port) {
  try {
    const out = execFileSync('lsof', ['-nP', '-t', `-iTCP:${port}`, '-sTCP:LISTEN'], {
      encoding: 'utf8',
      timeout: 3000,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const pid = Number.parseInt(out, 10);
    return Number.isInteger(pid) ? pid : undefined;
  } catch {
    return undefined;
  }
}
