/** A CloudStack of a few lines, for tests of the transport: each command is answered by what the test says. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

export interface Received {
  readonly method: string;
  readonly command: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly headers: IncomingMessage['headers'];
}

export type Reply =
  | { readonly body: unknown; readonly status?: number }
  | { readonly raw: string; readonly status: number }
  /** Never answers. */
  | 'hang'
  /** Breaks the connection off. */
  | 'close';

export type Script = (request: Received, count: number) => Reply;

export interface TestServer {
  readonly apiUrl: string;
  readonly received: readonly Received[];
  stop(): Promise<void>;
}

export const fails = (
  command: string,
  errorcode: number,
  more: { cserrorcode?: number; errortext?: string } = {},
): Reply => ({
  status: errorcode,
  body: {
    [`${command.toLowerCase()}response`]: { uuidList: [], errorcode, cserrorcode: 4350, errortext: 'no', ...more },
  },
});

export const answers = (command: string, inner: unknown): Reply => ({
  body: { [`${command.toLowerCase()}response`]: inner },
});

export const jobStarted = (command: string, jobid: string): Reply => answers(command, { jobid });

export const jobEnded = (result: unknown): Reply =>
  answers('queryAsyncJobResult', { jobstatus: 1, jobprocstatus: 0, jobresultcode: 0, jobresult: result });

export const jobFailed = (errorcode: number): Reply =>
  answers('queryAsyncJobResult', {
    jobstatus: 2,
    jobprocstatus: 0,
    jobresultcode: errorcode,
    jobresult: { errorcode, errortext: 'no' },
  });

export async function startTestServer(script: Script): Promise<TestServer> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void readRequest(request).then((call) => {
      received.push(call);
      const count = received.filter((each) => each.command === call.command).length;
      reply(response, script(call, count));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    apiUrl: `http://127.0.0.1:${port}/client/api`,
    received,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readRequest(request: IncomingMessage): Promise<Received> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const query = request.url?.split('?')[1] ?? '';
  const parameters = {
    ...Object.fromEntries(new URLSearchParams(body)),
    ...Object.fromEntries(new URLSearchParams(query)),
  };
  return { method: request.method ?? '', command: parameters['command'] ?? '', parameters, headers: request.headers };
}

function reply(response: ServerResponse, answer: Reply): void {
  if (answer === 'hang') return;
  if (answer === 'close') {
    response.destroy();
    return;
  }
  response.statusCode = answer.status ?? 200;
  response.end('raw' in answer ? answer.raw : JSON.stringify(answer.body));
}
