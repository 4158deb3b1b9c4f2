/** The CloudStack calls of the real autoscaler: GET, plain signature, no version and no expiry. */
import { request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { signatureOf } from '@/simulator/cloudstack/signature';
import { isObject, type JsonObject, textAt } from '@/simulator/core/json';

/** The client's own patience; it waits on the wall clock like any client. */
const timeoutMs = 10_000;

/** TLS is never verified, as in the real provider. */
function get(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { timeout: timeoutMs, rejectUnauthorized: false };
    const request = (url.startsWith('https:') ? tlsRequest : plainRequest)(url, options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve(text));
      response.on('error', reject);
    });
    request.on('timeout', () => request.destroy(new Error('timed out')));
    request.on('error', reject);
    request.end();
  });
}

/** The object under the answer's single key. Throws the error text of a refusal. */
export async function callCloudStack(
  config: Record<string, string>,
  command: string,
  parameters: Record<string, string>,
): Promise<JsonObject> {
  const all = new Map(Object.entries({ ...parameters, command, response: 'json', apiKey: config['api-key'] ?? '' }));
  const query = new URLSearchParams([...all]);
  query.set('signature', signatureOf(all, config['secret-key'] ?? ''));
  const body: unknown = JSON.parse(await get(`${config['api-url'] ?? ''}?${query}`));
  const answer = isObject(body) ? Object.values(body)[0] : undefined;
  if (!isObject(answer)) throw new Error(`${command}: the answer is no object`);
  if (answer['errorcode'] !== undefined) throw new Error(`${command}: ${textAt(answer, 'errortext') ?? 'refused'}`);
  return answer;
}
