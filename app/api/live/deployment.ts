import 'server-only';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

let known: string | undefined;

/** Which build this server runs; a page that was made by another one should be loaded again. */
export function deploymentId(): string {
  known ??= read();
  return known;
}

function read(): string {
  try {
    return readFileSync(join(process.cwd(), '.next', 'BUILD_ID'), 'utf8').trim();
  } catch {
    // In development there is no build, and pages renew themselves.
    return 'development';
  }
}
