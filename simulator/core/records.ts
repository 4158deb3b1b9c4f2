/**
 * The memory of the simulated cloud: tables of records, kept on disk as a snapshot plus a journal of changes. A change is
 * written before the answer that reports it (`flush`). Replaying a journal over a newer snapshot is harmless, because every
 * line is absolute.
 */
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Tag } from './model';
import type { Tables } from './tables';

type TableName = keyof Tables;
type AnyRecord = Tables[TableName];

const compactAfterLines = 20_000;

export class Records {
  readonly #tables = new Map<TableName, Map<string, AnyRecord>>();
  readonly #dirty = new Map<string, { table: TableName; id: string }>();
  readonly #directory: string | null;
  #journal: number | null = null;
  #journalLines = 0;
  #flushPlanned = false;
  /** Tags by resource: listings ask for them once a machine. */
  readonly #tags = new Map<string, Map<string, Tag>>();

  constructor(directory: string | null) {
    this.#directory = directory;
    if (directory === null) return;
    mkdirSync(directory, { recursive: true });
    this.#load(join(directory, 'snapshot.jsonl'));
    this.#load(join(directory, 'journal.jsonl'));
    for (const tag of this.all('tag')) this.#indexTag(tag);
    this.#journal = openSync(join(directory, 'journal.jsonl'), 'a');
  }

  get<K extends TableName>(table: K, id: string): Tables[K] | undefined {
    return this.#table(table).get(id) as Tables[K] | undefined;
  }

  all<K extends TableName>(table: K): Tables[K][] {
    return [...this.#table(table).values()] as Tables[K][];
  }

  find<K extends TableName>(table: K, fits: (record: Tables[K]) => boolean): Tables[K] | undefined {
    for (const record of this.#table(table).values()) if (fits(record as Tables[K])) return record as Tables[K];
    return undefined;
  }

  count(table: TableName): number {
    return this.#table(table).size;
  }

  /** Stores a record, or notes that one already stored was changed in place. */
  save<K extends TableName>(table: K, record: Tables[K]): void {
    this.#table(table).set(record.id, record);
    if (table === 'tag') this.#indexTag(record as Tag);
    this.#touch(table, record.id);
  }

  remove(table: TableName, id: string): void {
    const record = this.#table(table).get(id);
    if (record === undefined) return;
    this.#table(table).delete(id);
    if (table === 'tag') this.#tags.get((record as Tag).resourceId)?.delete(id);
    this.#touch(table, id);
  }

  tagsOf(resourceId: string): Tag[] {
    return [...(this.#tags.get(resourceId)?.values() ?? [])];
  }

  clear(): void {
    for (const [name, table] of this.#tables) for (const id of [...table.keys()]) this.remove(name, id);
  }

  /** Writes what changed since the last time. Returns when the operating system has it. */
  flush(): void {
    if (this.#dirty.size === 0) return;
    if (this.#journal !== null) {
      const lines: string[] = [];
      for (const { table, id } of this.#dirty.values()) {
        lines.push(JSON.stringify({ t: table, i: id, v: this.#table(table).get(id) ?? null }));
      }
      writeSync(this.#journal, `${lines.join('\n')}\n`);
      this.#journalLines += lines.length;
    }
    this.#dirty.clear();
    if (this.#journalLines > compactAfterLines) this.#compact();
  }

  close(): void {
    this.flush();
    if (this.#journal === null) return;
    this.#compact();
    closeSync(this.#journal);
    this.#journal = null;
  }

  #indexTag(tag: Tag): void {
    const tags = this.#tags.get(tag.resourceId) ?? new Map<string, Tag>();
    this.#tags.set(tag.resourceId, tags.set(tag.id, tag));
  }

  #touch(table: TableName, id: string): void {
    this.#dirty.set(`${table}/${id}`, { table, id });
    if (this.#flushPlanned) return;
    this.#flushPlanned = true;
    setImmediate(() => {
      this.#flushPlanned = false;
      this.flush();
    });
  }

  #table(name: TableName): Map<string, AnyRecord> {
    let table = this.#tables.get(name);
    if (table === undefined) {
      table = new Map();
      this.#tables.set(name, table);
    }
    return table;
  }

  #load(path: string): void {
    if (!existsSync(path)) return;
    for (const line of readFileSync(path, 'utf8').split('\n')) {
      if (line === '') continue;
      try {
        const { t, i, v } = JSON.parse(line) as { t: TableName; i: string; v: AnyRecord | null };
        if (v === null) this.#table(t).delete(i);
        else this.#table(t).set(i, v);
      } catch {
        // A line that a crash cut short; nothing after it was answered for.
      }
    }
  }

  #compact(): void {
    if (this.#directory === null) return;
    const lines: string[] = [];
    for (const [t, table] of this.#tables) for (const [i, v] of table) lines.push(JSON.stringify({ t, i, v }));
    const path = join(this.#directory, 'snapshot.jsonl');
    writeFileSync(`${path}.new`, lines.length === 0 ? '' : `${lines.join('\n')}\n`);
    renameSync(`${path}.new`, path);
    truncateSync(join(this.#directory, 'journal.jsonl'), 0);
    this.#journalLines = 0;
  }
}
