/** What must be true before anything is started; each failure names what is missing. */
import { parseArgs } from 'node:util';
import { PlainError } from './lib-say.mjs';

const cloudVariables = ['CLOUDSTACK_API_URL', 'CLOUDSTACK_API_KEY', 'CLOUDSTACK_SECRET_KEY'];

export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if ((major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22) return;
  throw new PlainError(
    `Holdfast needs Node.js 20.19 or later of 20, or 22.12 or later. This is Node.js ${process.versions.node}.`,
  );
}

/** An empty variable counts as unset. @param {string} name */
export function setting(name) {
  const value = process.env[name];
  return value === undefined || value.trim() === '' ? undefined : value;
}

/** @returns {'real' | 'simulated'} */
export function whichCloud() {
  const missing = cloudVariables.filter((name) => setting(name) === undefined);
  if (missing.length === 0) return 'real';
  if (missing.length === cloudVariables.length) return 'simulated';
  throw new PlainError(
    `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not set. Set all of ${cloudVariables.join(', ')} to use a CloudStack, or none of them to use the simulated cloud.`,
  );
}

/** @returns {string | undefined} the address of a database of the admin's own */
export function externalDatabase() {
  const url = setting('DATABASE_URL');
  if (url === undefined) return undefined;
  if (!/^postgres(ql)?:\/\//.test(url)) throw new PlainError('DATABASE_URL must begin with postgres://.');
  if (setting('HOLDFAST_SECRET_KEY') === undefined) {
    throw new PlainError(
      `HOLDFAST_SECRET_KEY is not set. With a database of your own (DATABASE_URL) it must be: it encrypts what is stored there, and every server needs the same one. Make one, once: node -e "console.log(require('node:crypto').randomBytes(32).toString('base64'))"`,
    );
  }
  return url;
}

export function requireSecretKey() {
  const key = setting('HOLDFAST_SECRET_KEY');
  if (key !== undefined && Buffer.from(key, 'base64').length !== 32) {
    throw new PlainError('HOLDFAST_SECRET_KEY must be 32 bytes in base64.');
  }
}

/**
 * @param {string[]} words
 * @returns {{ servers: number, port: number, dev: boolean, restart: boolean }}
 */
export function readOptions(words) {
  const number = { type: /** @type {const} */ ('string') };
  const flag = { type: /** @type {const} */ ('boolean'), default: false };
  let values;
  try {
    ({ values } = parseArgs({
      args: words,
      options: { servers: number, port: number, dev: flag, 'no-restart': flag },
    }));
  } catch (error) {
    throw new PlainError(
      `${/** @type {Error} */ (error).message}\nThere are --servers N, --port P, --no-restart and --dev.`,
    );
  }
  const servers = wholeNumber('--servers', values.servers ?? '1', 1, 16);
  const port = wholeNumber('--port', values.port ?? setting('PORT') ?? '3000', 1, 65_535);
  if (values.dev && servers > 1) throw new PlainError('--dev starts one server: Next allows one a folder.');
  return { servers, port, dev: values.dev, restart: !values['no-restart'] };
}

/** @param {string} name @param {string} text @param {number} least @param {number} most */
function wholeNumber(name, text, least, most) {
  const number = Number(text);
  if (text !== '' && Number.isInteger(number) && number >= least && number <= most) return number;
  throw new PlainError(`${name} needs a whole number from ${least} to ${most}.`);
}
