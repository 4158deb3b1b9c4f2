import { describe, expect, it } from 'vitest';
import { expiryTime, parseExpiry, sign, signedForm, textToSign } from './signature';

const secret = 'holdfast-demo-secret';

// Both vectors were checked with Node and with the JDK's own encoder (cloud.md A.2).
const vectors = [
  {
    parameters: { command: 'listVirtualMachines', response: 'json', apiKey: 'holdfast-demo-key', name: 'demo-node-1' },
    text: 'apikey=holdfast-demo-key&command=listvirtualmachines&name=demo-node-1&response=json',
    signature: 'L4BaHg7XSfRfvkhRhXVjijzzGEk=',
  },
  {
    parameters: {
      command: 'createTags',
      response: 'json',
      apiKey: 'holdfast-demo-key',
      resourcetype: 'UserVm',
      resourceids: '6f1c2f0e-0000-4000-8000-000000000001',
      'tags[0].key': 'holdfast cluster',
      'tags[0].value': "a+b*c~d é(1)!'",
      signatureversion: '3',
      expires: '2026-12-01T15:00:00+0000',
    },
    text: 'apikey=holdfast-demo-key&command=createtags&expires=2026-12-01t15%3a00%3a00%2b0000&resourceids=6f1c2f0e-0000-4000-8000-000000000001&resourcetype=uservm&response=json&signatureversion=3&tags[0].key=holdfast%20cluster&tags[0].value=a%2bb*c%7ed%20%c3%a9%281%29%21%27',
    signature: 'wG0otNWvnHeZ4dKPjPh3h2EjVAQ=',
  },
];

describe('the signature', () => {
  it.each(vectors)('of $parameters.command is the one that CloudStack computes', ({ parameters, text, signature }) => {
    expect(textToSign(parameters)).toBe(text);
    expect(sign(parameters, secret)).toBe(signature);
  });

  it('survives the way through a form', () => {
    const parameters = vectors[1]?.parameters ?? {};
    const received = Object.fromEntries(new URLSearchParams(signedForm(parameters, secret)));
    expect(received).toEqual({ ...parameters, signature: vectors[1]?.signature });
  });

  it('names its expiry in the one spelling that every version takes', () => {
    expect(expiryTime(new Date('2026-12-01T15:00:00.789Z'))).toBe('2026-12-01T15:00:00+0000');
  });

  it.each([
    '2026-12-01T15:00:00+0000',
    '2026-12-01T15:00:00+00:00',
    '2026-12-01T15:00:00Z',
    '2026-12-01T17:00:00+0200',
  ])('reads the expiry %s', (text) => {
    expect(parseExpiry(text)?.toISOString()).toBe('2026-12-01T15:00:00.000Z');
  });

  it.each(['', 'tomorrow', '2026-12-01', '2026-13-01T15:00:00Z', '2026-12-01T15:00:00', '1796137200'])(
    'reads no expiry in %o',
    (text) => {
      expect(parseExpiry(text)).toBeNull();
    },
  );
});
