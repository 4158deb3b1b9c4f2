import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { operationKinds } from './operations';
import {
  addNodesInput,
  autoscaleInput,
  clusterName,
  createInput,
  limits,
  operationInputs,
  removeNodesInput,
  requestEnvelope,
  scaleInput,
  upgradeInput,
} from './requests';

const uuid = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const other = '3f2504e0-4f89-41d3-9a0c-0305e82c3302';
const create = {
  name: 'prod-1',
  zoneId: 'zone-1',
  kubernetesVersionId: uuid,
  controlOfferingId: 'medium',
  workerOfferingId: 'medium',
  templateId: 'template-1',
};

interface Schema {
  safeParse(input: unknown): {
    success: boolean;
    error?: { issues: readonly { path: PropertyKey[]; message: string }[] };
  };
}

/** The fields that a schema finds fault with; empty when it takes the input. */
function faults(schema: Schema, input: unknown): readonly string[] {
  const parsed = schema.safeParse(input);
  return [...new Set(parsed.error?.issues.map((issue) => issue.path.map(String).join('.')))];
}

describe('names', () => {
  test.each(['a', 'prod', 'prod-1', 'a--b', 'x'.repeat(limits.maxNameLength)])('%s is a name', (name) => {
    expect(clusterName.safeParse(name).success).toBe(true);
  });

  test.each([
    '',
    ' ',
    '-a',
    'a-',
    '1a',
    'A',
    'a_b',
    'a.b',
    'ä',
    'a b',
    'x'.repeat(limits.maxNameLength + 1),
    'a\u0000',
    'a\n',
  ])('%j is no name, unless it is one after trimming', (name) => {
    expect(clusterName.safeParse(name).success).toBe(name === 'a\n');
  });
});

describe('a create', () => {
  test('takes the smallest request and fills in the rest', () => {
    expect(createInput.parse(create)).toMatchObject({
      description: '',
      controlCount: 1,
      workerCount: 1,
      etcdCount: 0,
      rootDiskGb: limits.minRootDiskGb,
      protected: false,
      startNow: true,
    });
  });

  test.each<[string, object, string[]]>([
    ['no control node', { controlCount: 0 }, ['controlCount']],
    ['no worker', { workerCount: 0 }, ['workerCount']],
    ['half a worker', { workerCount: 1.5 }, ['workerCount']],
    ['a number that no column holds', { workerCount: 3_000_000_000 }, ['workerCount']],
    ['a negative etcd count', { etcdCount: -1 }, ['etcdCount']],
    ['an even number of etcd nodes', { etcdCount: 2, etcdOfferingId: 'medium' }, ['etcdCount']],
    ['etcd nodes without an offering', { etcdCount: 3 }, ['etcdOfferingId']],
    ['more nodes than allowed', { controlCount: 3, workerCount: 8 }, ['workerCount']],
    [
      'etcd nodes count too',
      { controlCount: 3, workerCount: 5, etcdCount: 3, etcdOfferingId: 'medium' },
      ['workerCount'],
    ],
    ['a disk that is too small', { rootDiskGb: limits.minRootDiskGb - 1 }, ['rootDiskGb']],
    ['a disk that is too large', { rootDiskGb: limits.maxRootDiskGb + 1 }, ['rootDiskGb']],
    ['no version', { kubernetesVersionId: 'newest' }, ['kubernetesVersionId']],
    ['a template that is too long', { templateId: 'x'.repeat(256) }, ['templateId']],
    ['a zero byte in the description', { description: 'a\u0000b' }, ['description']],
    ['a zero byte in an id', { zoneId: 'a\u0000b' }, ['zoneId']],
    ['a zero byte in the note', { note: 'a\u0000b' }, ['note']],
  ])('with %s is refused, and the field is named', (_, change, expected) => {
    expect(faults(createInput, { ...create, ...change })).toEqual(expected);
  });

  test('takes exactly as many nodes as allowed', () => {
    expect(faults(createInput, { ...create, controlCount: 3, workerCount: 7 })).toEqual([]);
  });
});

describe('the other operations', () => {
  test('a scale is bounded like a create', () => {
    expect(faults(scaleInput, { workerCount: 5 })).toEqual([]);
    expect(faults(scaleInput, { workerCount: 0 })).toEqual(['workerCount']);
    expect(faults(scaleInput, { workerCount: limits.maxNodes + 1 })).toEqual(['workerCount']);
    expect(faults(scaleInput, { nodeIds: [] })).toEqual(['nodeIds']);
    expect(faults(scaleInput, { nodeIds: ['worker-1'] })).toEqual(['nodeIds.0']);
  });

  test('autoscaling needs a minimum below a maximum, when it is on', () => {
    expect(faults(autoscaleInput, { enabled: false })).toEqual([]);
    expect(faults(autoscaleInput, { enabled: true, minSize: 1, maxSize: 2 })).toEqual([]);
    expect(faults(autoscaleInput, { enabled: true })).toEqual(['minSize', 'maxSize']);
    expect(faults(autoscaleInput, { enabled: true, minSize: 3, maxSize: 3 })).toEqual(['maxSize']);
    expect(faults(autoscaleInput, { enabled: true, minSize: 1, maxSize: limits.maxNodes + 1 })).toEqual(['maxSize']);
    expect(faults(autoscaleInput, { enabled: 'yes', minSize: 1, maxSize: 2 })).toEqual(['enabled']);
  });

  test('added machines are wiped, so that must be confirmed; each is added once', () => {
    expect(faults(addNodesInput, { machineIds: ['m-1'] })).toEqual(['wipeConfirmed']);
    expect(faults(addNodesInput, { machineIds: [], wipeConfirmed: true })).toEqual(['machineIds']);
    expect(addNodesInput.parse({ machineIds: ['m-1', 'm-1', 'm-2'], wipeConfirmed: true }).machineIds).toEqual([
      'm-1',
      'm-2',
    ]);
  });

  test('removed nodes are named by id, each once', () => {
    expect(faults(removeNodesInput, { nodeIds: [] })).toEqual(['nodeIds']);
    expect(removeNodesInput.parse({ nodeIds: [uuid, uuid, other] }).nodeIds).toEqual([uuid, other]);
  });

  test('an upgrade names a version', () => {
    expect(faults(upgradeInput, { kubernetesVersionId: uuid })).toEqual([]);
    expect(faults(upgradeInput, {})).toEqual(['kubernetesVersionId']);
  });

  test('the envelope takes a whole token and a key that is long enough', () => {
    expect(faults(requestEnvelope, { clusterId: uuid })).toEqual([]);
    expect(faults(requestEnvelope, { clusterId: uuid, expectedSeq: 1.5 })).toEqual(['expectedSeq']);
    expect(faults(requestEnvelope, { clusterId: uuid, idempotencyKey: 'short' })).toEqual(['idempotencyKey']);
    expect(faults(requestEnvelope, { clusterId: uuid, idempotencyKey: 'long enough\u0000' })).toEqual([
      'idempotencyKey',
    ]);
    expect(faults(requestEnvelope, { clusterId: '1' })).toEqual(['clusterId']);
  });
});

describe('properties of every input', () => {
  const hostile = fc.oneof(
    fc.anything({ withBigInt: true, withDate: true, withSparseArray: true, withNullPrototype: true }),
    fc.constantFrom<unknown>(
      '\u0000',
      '\ud800',
      Symbol('x'),
      Number.NaN,
      Number.POSITIVE_INFINITY,
      1e308,
      () => 1,
      [[]],
      { valueOf: null },
    ),
    fc.string({ unit: 'binary' }),
    fc.double(),
  );

  test.each(operationKinds)('%s never throws, whatever it is given', (kind) => {
    fc.assert(
      fc.property(hostile, (input) => {
        operationInputs[kind].safeParse(input);
      }),
    );
  });

  test.each(operationKinds)('%s names the field of every fault', (kind) => {
    const fields = Object.keys(operationInputs[kind].shape);
    const input = fc.record(Object.fromEntries(fields.map((field) => [field, hostile])), { requiredKeys: [] });
    fc.assert(
      fc.property(input, (given) => {
        const parsed = operationInputs[kind].safeParse(given);
        for (const issue of parsed.error?.issues ?? []) {
          expect(fields).toContain(issue.path[0]);
          expect(issue.message).not.toBe('');
        }
      }),
    );
  });

  test.each(operationKinds)(
    'what %s takes holds no zero byte, no number that a column cannot hold, and is taken again',
    (kind) => {
      const fields = Object.keys(operationInputs[kind].shape);
      const plausible = fc.oneof(
        fc.constantFrom<unknown>(uuid, true, false, null, [uuid], [uuid, 'x'], 'prod-1', 'a\u0000'),
        fc.integer(),
        hostile,
      );
      const input = fc.record(Object.fromEntries(fields.map((field) => [field, plausible])), { requiredKeys: [] });
      fc.assert(
        fc.property(input, (given) => {
          const parsed = operationInputs[kind].safeParse(given);
          if (!parsed.success) return;
          expect(JSON.stringify(parsed.data)).not.toContain('\\u0000');
          for (const value of Object.values(parsed.data))
            if (typeof value === 'number') expect(Math.abs(value)).toBeLessThan(2 ** 31);
          expect(operationInputs[kind].parse(parsed.data)).toEqual(parsed.data);
        }),
        { numRuns: 500 },
      );
    },
  );
});
