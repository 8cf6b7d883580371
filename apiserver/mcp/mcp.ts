import { text } from 'node:stream/consumers';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Request as HttpRequest, Response as HttpResponse, Router } from 'express';
import { AppError } from '../../core/lib/errors.ts';
import { createTally, type Tally } from '../../core/lib/work/tally.ts';
import { version } from '../../core/version.ts';
import { createMcpServer } from '../../mcp/server.ts';
import { createClient } from '../../sdk/src/client.ts';
import type { Authenticate } from '../http/auth/auth.ts';
import { currentSource, headersFrom } from '../http/limits/source.ts';
import { checkJson } from '../http/pipeline/json.ts';

const path = '/mcp';
/** Enough for the creation code of any contract. */
const maxBytes = 256 * 1024;
/** Of a body, once it is parsed: the ABI of a large contract takes a quarter. */
const maxHeapBytes = 2 * 1024 * 1024;
/** The code of JSON-RPC for a request that is not served. */
const invalidRequest = -32_600;
/** Calls under way at the same time, in each replica: some wait for minutes. */
const limits = { account: 16, all: 256 };
/** Credentials of a caller, which its tools use. A session's cookie is for pages, and is none here. */
const credentials = ['authorization', 'x-api-key-id', 'x-api-key-secret', 'x-workspace-id'];

interface McpDeps {
  authenticate: Pick<Authenticate, 'caller'>;
}

/**
 * Serves the tools of agents (Model Context Protocol, streamable HTTP without sessions). Each call of a tool is requests to this
 * service with the caller's own key and address, so permissions, limits and the audit list are those of REST.
 */
export function mountMcp(router: Router, { authenticate }: McpDeps): void {
  const handler = createMcpHandler(
    ({ requestInfo }) => createMcpServer(clientOf(requestInfo ?? new Request('http://127.0.0.1')), version),
    // Nothing changes while somebody listens, and no answer may stay open.
    { maxSubscriptions: 0 },
  );
  const open = createTally();
  router.all(path, async (request, response) => {
    // Whoever has no key is told so here, and not by each tool.
    const { cookie: _cookie, ...headers } = request.headers;
    const { userId } = await authenticate.caller({ ...request, headers });
    if (response.destroyed) return;
    begin(open, userId, response);
    // Only messages have a body.
    const body = request.method === 'POST' ? await bodyOf(request) : undefined;
    const refusal = body === undefined ? undefined : refusalOf(body);
    await send(response, refusal ?? (await handler.fetch(webRequest({ request, response, body }))));
  });
}

/** Counts a call until its response is closed. Throws TooManyRequests if the account has too many, and Unavailable if all have. */
function begin(open: Tally, account: string, response: HttpResponse): void {
  if (open.of(account) >= limits.account) {
    const message = `the account has ${limits.account} calls of agents' tools under way, which is the limit: wait for their answers`;
    throw new AppError('TooManyRequests', message, { retryAfterSeconds: 1 });
  }
  if (open.total() >= limits.all)
    throw new AppError('Unavailable', 'too many agents at the moment: retry', { retryAfterSeconds: 1 });
  open.add(account, 1);
  response.once('close', () => open.add(account, -1));
}

/** A client of this very process, as the caller and from its address. */
function clientOf({ url, headers }: Request) {
  const own = credentials.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  const asCaller: typeof fetch = (input, init) => {
    const given = new Headers(init?.headers);
    for (const [name, value] of [...own, ...Object.entries(headersFrom(currentSource()))])
      given.set(name, value);
    return fetch(input, { ...init, headers: given });
  };
  return createClient({ url: new URL(url).origin, fetch: asCaller, retries: 0, userAgent: 'slipway-mcp' });
}

interface Asked {
  request: HttpRequest;
  response: HttpResponse;
  body: string | undefined;
}

/** The request, addressed to the port on which this process got it. */
function webRequest({ request, response, body }: Asked): Request {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const { method, headers, socket } = request;
  const own = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string' && name !== 'cookie') own.set(name, value);
  }
  const url = `http://127.0.0.1:${socket.localPort}${path}`;
  return new Request(url, { method, headers: own, signal: gone.signal, body: body ?? null });
}

/** The server holds a body to the length that its head names, so it is known before anything is read. */
async function bodyOf(request: HttpRequest): Promise<string> {
  const length = Number(request.headers['content-length']);
  if (!Number.isInteger(length))
    throw new AppError('BadRequest', 'the length of the body is missing: send Content-Length');
  if (length > maxBytes) throw new AppError('TooLarge', `the body is larger than ${maxBytes} bytes`);
  return text(request);
}

/** What is wrong with the values of a body, as a message of the protocol: its clients throw at any other answer to a request. */
function refusalOf(body: string): Response | undefined {
  try {
    checkJson(body, { maxHeapBytes, take: () => undefined });
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== 'BadRequest') throw error;
    const id = idIn(body);
    const message = { jsonrpc: '2.0', id, error: { code: invalidRequest, message: error.message } };
    return Response.json(message, { status: id === null ? 400 : 200 });
  }
}

/** The id of the request in a body; null if it is not one. */
function idIn(body: string): string | number | null {
  try {
    const { id }: { id?: unknown } = JSON.parse(body);
    return typeof id === 'string' || typeof id === 'number' ? id : null;
  } catch {
    return null;
  }
}

async function send(response: HttpResponse, answer: Response): Promise<void> {
  response.status(answer.status);
  for (const [name, value] of answer.headers) response.setHeader(name, value);
  response.end(await answer.text());
}
