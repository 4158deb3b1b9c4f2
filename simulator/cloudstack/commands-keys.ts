/** SSH key pairs. */

import { createHash, generateKeyPairSync, randomUUID } from 'node:crypto';
import type { JsonObject } from '@/simulator/core/json';
import type { KeyPair } from '@/simulator/core/model';
import { answer, type Call, type Outcome } from './command';
import { invalid } from './errors';
import { hasKeyword, isAsked, isVisible, listAnswer, mayUse } from './paging';
import type { Args } from './parameters';
import { ownershipView } from './views';

export function saveKeyPair(call: Call, name: string, publicKey: string): KeyPair {
  const { records } = call.world;
  const taken = records.find('keyPair', (pair) => pair.name === name && pair.account === call.caller.account);
  if (taken !== undefined) throw invalid(`A key pair with name '${name}' already exists.`);
  const digest = createHash('md5').update(publicKey).digest('hex');
  const pair: KeyPair = {
    id: randomUUID(),
    name,
    publicKey,
    fingerprint: (digest.match(/../g) ?? []).join(':'),
    account: call.caller.account,
  };
  records.save('keyPair', pair);
  return pair;
}

export const keyPairView = (pair: KeyPair): JsonObject => ({
  id: pair.id,
  name: pair.name,
  fingerprint: pair.fingerprint,
  ...ownershipView(pair.account),
});

export function createKeyPair(call: Call, args: Args): Outcome {
  const keys = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return answer({
    keypair: { ...keyPairView(saveKeyPair(call, args.must('name'), keys.publicKey)), privatekey: keys.privateKey },
  });
}

export function deleteKeyPair(call: Call, args: Args): Outcome {
  const pair = call.world.records.find(
    'keyPair',
    (candidate) => candidate.name === args.must('name') && mayUse(call, candidate.account),
  );
  if (pair === undefined) throw invalid(`A key pair with name '${args.must('name')}' does not exist`);
  call.world.records.remove('keyPair', pair.id);
  return answer({ success: true });
}

export function listKeyPairs(call: Call, args: Args): Outcome {
  const found = call.world.records
    .all('keyPair')
    .filter(
      (pair) => isVisible(call, args, pair.account) && isAsked(args, 'name', pair.name) && hasKeyword(args, pair.name),
    );
  return listAnswer(args, 'sshkeypair', found, keyPairView);
}
