/** Label and field selectors, as texts in queries and as objects in specs. */
import { isObject, type Json, type JsonObject, listAt, objectsAt, pick, textAt, textsAt } from '@/simulator/core/json';
import { type KubeObject, labelsOf, nameOf, namespaceOf } from './objects';
import { StatusError } from './status';

type Test = (labels: Readonly<Record<string, string>>) => boolean;

function labelTest(term: string): Test {
  const inSet = /^([^\s!=]+)\s+(in|notin)\s+\(([^)]*)\)$/.exec(term);
  if (inSet !== null) {
    const key = inSet[1] ?? '';
    const values = new Set((inSet[3] ?? '').split(',').map((value) => value.trim()));
    const wanted = inSet[2] === 'in';
    return (labels) => (labels[key] === undefined ? !wanted : values.has(labels[key]) === wanted);
  }
  const compared = /^([^=!]+?)\s*(==|=|!=)\s*(.*)$/.exec(term);
  if (compared !== null) {
    const [, key = '', operator, value] = compared;
    return (labels) => (labels[key] === value) === (operator !== '!=');
  }
  if (term.startsWith('!')) return (labels) => labels[term.slice(1).trim()] === undefined;
  return (labels) => labels[term] !== undefined;
}

/** `a=b,c in (d,e),!f` as a test. */
export function parseLabelSelector(text: string): Test {
  const terms = text
    .split(/,(?![^(]*\))/)
    .map((term) => term.trim())
    .filter((term) => term !== '');
  const tests = terms.map(labelTest);
  return (labels) => tests.every((test) => test(labels));
}

/** The `matchLabels` and `matchExpressions` of a spec. An empty selector matches everything, a missing one nothing. */
export function matchesSelector(selector: Json | undefined, labels: Readonly<Record<string, string>>): boolean {
  if (!isObject(selector)) return false;
  const same = Object.entries(textsAt(selector, 'matchLabels')).every(([key, value]) => labels[key] === value);
  return same && objectsAt(selector, 'matchExpressions').every((expression) => matchesExpression(expression, labels));
}

export function matchesExpression(expression: JsonObject, labels: Readonly<Record<string, string>>): boolean {
  const value = labels[textAt(expression, 'key') ?? ''];
  const values = listAt(expression, 'values');
  switch (expression['operator']) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      return false;
  }
}

function fieldOf(object: KubeObject, path: string): string {
  if (path === 'metadata.name') return nameOf(object);
  if (path === 'metadata.namespace') return namespaceOf(object);
  const value = pick(object, ...path.split('.'));
  return value === undefined || value === null ? '' : String(value);
}

/** `spec.nodeName=n,status.phase!=Running` as a test. */
export function parseFieldSelector(text: string): (object: KubeObject) => boolean {
  const tests = text
    .split(',')
    .filter((term) => term !== '')
    .map((term) => {
      const parts = /^([^=!]+)(==|=|!=)(.*)$/.exec(term);
      if (parts === null) throw new StatusError(400, `invalid field selector "${term}"`);
      const [, path = '', operator, value] = parts;
      return (object: KubeObject) => (fieldOf(object, path) === value) === (operator !== '!=');
    });
  return (object) => tests.every((test) => test(object));
}

/** The selection of a list or watch query. */
export function selectionOf(query: URLSearchParams): (object: KubeObject) => boolean {
  const byLabel = parseLabelSelector(query.get('labelSelector') ?? '');
  const byField = parseFieldSelector(query.get('fieldSelector') ?? '');
  return (object) => byLabel(labelsOf(object)) && byField(object);
}
