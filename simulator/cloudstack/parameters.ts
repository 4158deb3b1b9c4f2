/** The parameters of a request: read from query and body, checked against the command's table, and handed out typed. */

import type { Records } from '@/simulator/core/records';
import type { Tables } from '@/simulator/core/tables';
import { ApiError, badParameter, unknownId } from './errors';

export type ParameterType = 'string' | 'uuid' | 'boolean' | 'integer' | 'long' | 'date' | 'list' | 'map';
export type Entity = keyof Tables;

export interface Parameter {
  type: ParameterType;
  required: boolean;
  length: number;
  /** For ids: which table must know it (or have known it). */
  entity: Entity | null;
}

const usualLength = 255;

const parameter = (type: ParameterType, more: Partial<Parameter> = {}): Parameter => ({
  type,
  required: false,
  length: usualLength,
  entity: null,
  ...more,
});

export const text = (length = usualLength): Parameter => parameter('string', { length });
export const flag = (): Parameter => parameter('boolean');
export const integer = (): Parameter => parameter('integer');
export const map = (): Parameter => parameter('map');
export const idOf = (entity: Entity | null = null): Parameter => parameter('uuid', { entity });
export const listOf = (entity: Entity | null = null): Parameter => parameter('list', { entity, length: 16_384 });
export const required = (inner: Parameter): Parameter => ({ ...inner, required: true });

export const listParameters = {
  keyword: text(),
  page: integer(),
  pagesize: integer(),
  listall: flag(),
  isrecursive: flag(),
  account: text(),
  domainid: idOf(),
  projectid: idOf(),
  tags: map(),
} satisfies Record<string, Parameter>;

/** Query string and form body; a name in the query string overrides the same name in the body. */
export function readParameters(query: string, body: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(body)) found.set(name, value);
  for (const [name, value] of new URLSearchParams(query)) found.set(name, value);
  return found;
}

/** Parameters by lower-case name, typed on the way out. Built only after `checkParameters`. */
export class Args {
  readonly #values: ReadonlyMap<string, string>;
  readonly #maps: ReadonlyMap<string, Record<string, string>[]>;

  constructor(values: ReadonlyMap<string, string>, maps: ReadonlyMap<string, Record<string, string>[]>) {
    this.#values = values;
    this.#maps = maps;
  }

  text(name: string): string | undefined {
    return this.#values.get(name);
  }

  must(name: string): string {
    const value = this.#values.get(name);
    if (value === undefined) throw new Error(`the table of commands does not require ${name}`);
    return value;
  }

  flag(name: string): boolean | undefined {
    const value = this.#values.get(name);
    return value === undefined ? undefined : value.toLowerCase() === 'true';
  }

  number(name: string): number | undefined {
    const value = this.#values.get(name);
    return value === undefined ? undefined : Number(value);
  }

  list(name: string): string[] | undefined {
    const value = this.#values.get(name);
    return value
      ?.split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '');
  }

  maps(name: string): Record<string, string>[] {
    return this.#maps.get(name) ?? [];
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: CloudStack refuses exactly these characters.
const forbiddenCharacters = /[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f]/;

function splitMaps(raw: ReadonlyMap<string, string>) {
  const values = new Map<string, string>();
  const numbered = new Map<string, Map<number, Record<string, string>>>();
  for (const [rawName, value] of raw) {
    const name = rawName.toLowerCase();
    if (!name.includes('[')) {
      values.set(name, value);
      continue;
    }
    const parts = /^([a-z0-9_]+)\[(\d+)\](?:\.(.+))?$/i.exec(rawName);
    if (parts === null) throw new ApiError(430, null, `Unable to decode parameter ${rawName}`);
    const entries = numbered.get((parts[1] ?? '').toLowerCase()) ?? new Map<number, Record<string, string>>();
    const index = Number(parts[2]);
    entries.set(index, { ...entries.get(index), [parts[3] ?? 'value']: value });
    numbered.set((parts[1] ?? '').toLowerCase(), entries);
  }
  const maps = new Map(
    [...numbered].map(([name, entries]) => [name, [...entries].sort(([a], [b]) => a - b).map(([, entry]) => entry)]),
  );
  return { values, maps };
}

function checkId(name: string, value: string, entity: Entity | null, records: Records): void {
  if (entity === null || value === '-1') return;
  if (records.get(entity, value.toLowerCase()) !== undefined) return;
  if (records.get('removed', value.toLowerCase())?.kind === entity) return;
  throw unknownId(name, value);
}

function checkType(name: string, value: string, spec: Parameter, records: Records): void {
  if (value.length > spec.length)
    throw badParameter(`Value greater than max allowed length ${spec.length} for param: ${name}`);
  if ((spec.type === 'integer' || spec.type === 'long') && !/^-?\d+$/.test(value)) {
    throw badParameter(
      `Unable to execute API command due to invalid value. Unable to parse parameter ${name} value=${value}`,
    );
  }
  if (spec.type === 'uuid') checkId(name, value, spec.entity, records);
  if (spec.type === 'list')
    for (const entry of value.split(',')) if (entry.trim() !== '') checkId(name, entry.trim(), spec.entity, records);
}

/** Checks in CloudStack's order: brackets, characters, missing ones, then length, type and existence. */
export function checkParameters(
  raw: ReadonlyMap<string, string>,
  table: Record<string, Parameter>,
  records: Records,
): Args {
  const { values, maps } = splitMaps(raw);
  for (const [name, value] of raw) {
    if (forbiddenCharacters.test(value))
      throw badParameter(
        `Received value for parameter ${name} is invalid, contains illegal ASCII non-printable characters`,
      );
  }
  const given = new Map<string, string>();
  for (const [name, spec] of Object.entries(table)) {
    const value = values.get(name);
    const missing = spec.type === 'map' ? !maps.has(name) : value === undefined || value === '';
    if (spec.required && missing) throw badParameter(`Unable to execute API command due to missing parameter ${name}`);
  }
  for (const [name, spec] of Object.entries(table)) {
    const value = values.get(name);
    if (value === undefined || value === '' || spec.type === 'map') continue;
    checkType(name, value, spec, records);
    given.set(name, spec.type === 'uuid' ? value.toLowerCase() : value);
  }
  return new Args(given, maps);
}
