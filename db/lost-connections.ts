import type postgres from 'postgres';
import { databaseIsAway } from './errors';

/** After an error that speaks of a lost connection, how long the loss itself may take to be noticed. */
const noticeMs = 1_000;

type Work = (tx: postgres.TransactionSql) => unknown;
type Begin = (options: string, work: Work) => Promise<unknown>;

/** Of one transaction: over when it has settled, which a lost connection makes it do at once. */
interface Life {
  over: boolean;
}

/**
 * Makes every transaction of this pool end with its connection. postgres.js 3.4.9 goes on as if nothing had happened (its issues 1208
 * and 1216): what is said after the loss runs on the reconnected connection, outside the transaction and without its locks, and the
 * rollback that the driver adds goes into a socket that is gone, which throws past everybody and ends the process. Here later
 * statements are refused, and the driver never hears of an end that it would answer with a statement.
 */
export function endTransactionsWithTheirConnection(sql: postgres.Sql): void {
  const begin = sql.begin.bind(sql) as Begin;
  const guarded = (first: string | Work, second?: Work): Promise<unknown> => {
    const [options, work] = typeof first === 'string' ? [first, second] : ['', first];
    if (work === undefined) throw new Error('a transaction needs work to do');
    const life: Life = { over: false };
    const end = (): void => {
      life.over = true;
    };
    const running = begin(options, (tx) => outlivedByItsConnection(life, () => work(guard(tx, life))));
    running.then(end, end);
    return running;
  };
  Object.assign(sql, { begin: guarded });
}

/** Settles only while the connection is there. Afterwards it never does: the transaction has rejected already, and nobody waits. */
async function outlivedByItsConnection(life: Life, work: () => unknown): Promise<unknown> {
  try {
    const value = await work();
    return life.over ? await never() : value;
  } catch (error) {
    // The statement hears of a loss a little earlier than the transaction does.
    if (databaseIsAway(error)) await untilOver(life);
    if (life.over) return await never();
    throw error;
  }
}

/** The same transaction, but deaf once it is over. */
function guard(tx: postgres.TransactionSql, life: Life): postgres.TransactionSql {
  const refuse = (): void => {
    if (life.over)
      throw Object.assign(new Error('the transaction has lost its connection'), { code: 'CONNECTION_CLOSED' });
  };
  return new Proxy(tx, {
    apply: (target, self, words) => {
      refuse();
      return Reflect.apply(target, self, words);
    },
    get: (target, key) => {
      const member: unknown = Reflect.get(target, key);
      if (key === 'savepoint') return savepoint(target, life, refuse);
      if (key !== 'unsafe' && key !== 'file') return member;
      return (...words: unknown[]) => {
        refuse();
        return typeof member === 'function' ? Reflect.apply(member, target, words) : undefined;
      };
    },
  });
}

function savepoint(tx: postgres.TransactionSql, life: Life, refuse: () => void) {
  return (first: string | Work, second?: Work): Promise<unknown> => {
    refuse();
    const work = typeof first === 'string' ? second : first;
    const inner: Work = (nested) => outlivedByItsConnection(life, () => work?.(guard(nested, life)));
    return typeof first === 'string' ? tx.savepoint(first, inner) : tx.savepoint(inner);
  };
}

async function untilOver(life: Life): Promise<void> {
  const until = performance.now() + noticeMs;
  while (!life.over && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 10));
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}
