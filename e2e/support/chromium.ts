/** Which browser the tests run in: the first of CHROME_PATH, the system's, Playwright's own, and the one from npm. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';
import { withLock } from '../../scripts/lib-lock.mjs';
import { projectRoot } from '../../scripts/lib-run.mjs';

export interface Browser {
  /** Undefined: Playwright finds its own. */
  readonly executablePath?: string;
  readonly env?: Record<string, string>;
}

const systemNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const cache = join(projectRoot, 'node_modules', '.cache', 'chromium');

export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export async function findBrowser(): Promise<Browser> {
  const given = process.env['CHROME_PATH'];
  if (given !== undefined && given !== '') {
    if (!existsSync(given)) throw new Error(`CHROME_PATH names a file that does not exist: ${given}`);
    return { executablePath: given };
  }
  const system = systemBrowser();
  if (system !== undefined) return { executablePath: system };
  if (existsSync(chromium.executablePath())) return {};
  return npmBrowser();
}

function systemBrowser(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return systemNames.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
}

/** Unpacked once. The package takes any existing file for a complete one, so `ready` is what says that it was finished. */
async function npmBrowser(): Promise<Browser> {
  const ready = join(cache, 'ready');
  const executablePath = join(cache, 'chromium');
  if (!existsSync(ready)) {
    await withLock(join(projectRoot, '.holdfast', 'chromium.lock'), async () => {
      if (!existsSync(ready)) unpack(executablePath, ready);
    });
  }
  const env = definedOnly(process.env);
  const libraries = readFileSync(ready, 'utf8').trim();
  if (libraries !== '') env['LD_LIBRARY_PATH'] = [libraries, env['LD_LIBRARY_PATH']].filter(Boolean).join(delimiter);
  // A system without fonts would show boxes; the package brings one.
  if (!existsSync('/etc/fonts/fonts.conf')) env['FONTCONFIG_PATH'] ??= join(cache, 'fonts');
  return { executablePath, env };
}

/** In a process of its own: the package unpacks to the temporary folder and changes the environment. */
function unpack(executablePath: string, ready: string): void {
  rmSync(cache, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  const program = "import('@sparticuz/chromium').then((chromium) => chromium.default.executablePath())";
  execFileSync(process.execPath, ['-e', program], {
    cwd: projectRoot,
    // With this the package also unpacks the libraries that slim systems lack.
    env: { ...process.env, TMPDIR: cache, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' },
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: 120_000,
  });
  const linked = spawnSync('ldd', [executablePath], { encoding: 'utf8' });
  const lacksLibraries = linked.status !== 0 || linked.stdout.includes('not found');
  writeFileSync(ready, lacksLibraries ? join(cache, 'al2023', 'lib') : '');
}

function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
