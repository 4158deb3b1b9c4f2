import type { Database } from '@/db/client';
import type { WorkerContext } from '@/worker/context';

/**
 * Workers whose first transactions begin together: each has read, and none has written yet. So two requests meet in the database and
 * not one after the other, however fast one of them is. `meanwhile` happens between reading and writing.
 */
export function together(workers: readonly WorkerContext[], meanwhile?: () => Promise<void>): readonly WorkerContext[] {
  let missing = workers.length;
  let open: () => void = () => undefined;
  let fail: (error: unknown) => void = () => undefined;
  const opened = new Promise<void>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  const arrive = () => {
    missing -= 1;
    if (missing === 0) void (meanwhile?.() ?? Promise.resolve()).then(open, fail);
    return opened;
  };
  return workers.map((worker) => ({ ...worker, db: waitingOnce(worker.db, arrive) }));
}

function waitingOnce(db: Database, arrive: () => Promise<void>): Database {
  let waited = false;
  return new Proxy(db, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      if (name !== 'transaction') return member.bind(target);
      return async (...args: unknown[]) => {
        if (!waited) {
          waited = true;
          await arrive();
        }
        return member.apply(target, args);
      };
    },
  });
}
