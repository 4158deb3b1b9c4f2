/**
 * The cron caller: asks one server after the other to run a pass, until one has answered; again every few seconds.
 * Environment: HOLDFAST_CRON_TARGETS (addresses, comma separated), CRON_SECRET, HOLDFAST_CRON_PERIOD_MS.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { readText, statePath } from './lib-folder.mjs';
import { PlainError, sayFailure } from './lib-say.mjs';

const answerWithinMs = 3000;
const parentCheckMs = 500;

/** @typedef {{ ok: boolean, text: string }} Answer `text` is the same for the same kind of answer, so that changes can be told */

/** @param {string} target @param {string} secret @returns {Promise<Answer>} */
async function call(target, secret) {
  try {
    const response = await fetch(new URL('/api/cron/recovery', target), {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}` },
      signal: AbortSignal.timeout(answerWithinMs),
    });
    await response.body?.cancel();
    if (response.ok) return { ok: true, text: 'answers' };
    if (response.status === 401)
      return { ok: false, text: 'refuses the secret (401); CRON_SECRET must be the same there and here' };
    return { ok: false, text: `answers ${response.status}` };
  } catch (error) {
    const late = error instanceof Error && error.name === 'TimeoutError';
    return { ok: false, text: late ? `does not answer within ${answerWithinMs / 1000} s` : 'cannot be reached' };
  }
}

/** The server that answered last is asked first. @param {string[]} targets @param {string} secret */
async function callUntilAnswered(targets, secret) {
  /** @type {string[]} */
  const seen = [];
  for (const target of [...targets]) {
    const answer = await call(target, secret);
    seen.push(`${target} ${answer.text}`);
    if (!answer.ok) continue;
    targets.splice(targets.indexOf(target), 1);
    targets.unshift(target);
    return `recovery passes run: ${seen.join('; ')}`;
  }
  return `NO RECOVERY PASS RUNS: ${seen.join('; ')}`;
}

async function main() {
  const targets = (process.env['HOLDFAST_CRON_TARGETS'] ?? 'http://127.0.0.1:3000').split(',').map((url) => url.trim());
  const wrong = targets.find((url) => !URL.canParse(url));
  if (wrong !== undefined)
    throw new PlainError(`HOLDFAST_CRON_TARGETS holds something that is no address: "${wrong}".`);
  const secret = process.env['CRON_SECRET'] ?? readText(statePath('cron-secret'))?.trim();
  if (!secret) throw new PlainError('CRON_SECRET is not set. It must be the one that the servers were given.');
  const periodMs = Number(process.env['HOLDFAST_CRON_PERIOD_MS'] ?? 5000);
  if (!(periodMs >= 200))
    throw new PlainError('HOLDFAST_CRON_PERIOD_MS must be a number of milliseconds, at least 200.');
  endWithParent();
  let said = '';
  for (;;) {
    const nextAt = Date.now() + periodMs;
    const text = await callUntilAnswered(targets, secret);
    if (text !== said) process.stdout.write(`${new Date().toISOString()} ${text}\n`);
    said = text;
    await sleep(Math.max(0, nextAt - Date.now()));
  }
}

function endWithParent() {
  if (process.env['HOLDFAST_EXIT_WITH_PARENT'] !== '1') return;
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || process.exit(0), parentCheckMs).unref();
}

await main().catch(sayFailure);
