import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Store } from './store.ts';

/** What one `add` may carry: mappings and ABIs are far smaller. */
const maxRequestBytes = 64 * 1024 * 1024;

/** An error with an answer in Kubo's form. */
interface Failure {
  status: number;
  message: string;
}

interface Answer {
  contentType: string;
  body: string | Buffer;
}

type Call = (query: URLSearchParams, request: IncomingMessage) => Promise<Answer | Failure>;

/** Kubo's RPC under /api/v0, as far as graph-cli and graph-node use it: add, cat, pin/add and version. */
export function ipfsRpc(store: Store): RequestListener {
  const calls: Record<string, Call> = {
    add: (_query, request) => add(store, request),
    cat: async (query) => cat(store, query),
    'pin/add': async (query) => pin(store, query),
    version: async () => json({ Version: '0.38.2', Commit: '', Repo: '16', System: 'slipway' }),
  };
  return (request, response) => {
    const url = new URL(request.url ?? '/', 'http://ipfs');
    const name = /^\/api\/v0\/(.+)$/.exec(url.pathname)?.[1] ?? '';
    const call = Object.hasOwn(calls, name) ? calls[name] : undefined;
    answer(request, () => call?.(url.searchParams, request)).then(
      (result) => send(response, result),
      (error: unknown) => {
        console.error(error);
        send(response, { status: 500, message: 'internal error' });
      },
    );
  };
}

async function answer(
  request: IncomingMessage,
  call: () => Promise<Answer | Failure> | undefined,
): Promise<Answer | Failure> {
  if (request.method !== 'POST') return { status: 405, message: 'use POST' };
  return (await call()) ?? { status: 404, message: 'this RPC has add, cat, pin/add and version' };
}

function send(response: ServerResponse, result: Answer | Failure): void {
  if ('status' in result) {
    const body = JSON.stringify({ Message: result.message, Code: 0, Type: 'error' });
    response.writeHead(result.status, { 'content-type': 'application/json' }).end(body);
    return;
  }
  response.writeHead(200, { 'content-type': result.contentType }).end(result.body);
}

async function add(store: Store, request: IncomingMessage): Promise<Answer | Failure> {
  const body = await bodyOf(request);
  if (!body) return { status: 413, message: `a request has at most ${maxRequestBytes} bytes` };
  const files = await filesIn(body, request.headers['content-type'] ?? '');
  if (!files) return { status: 400, message: 'the body is not multipart/form-data' };
  const lines: string[] = [];
  for (const { name, content } of files) {
    const stored = store.add(content);
    if ('refused' in stored) return { status: 500, message: stored.refused };
    lines.push(JSON.stringify({ Name: name || stored.cid, Hash: stored.cid, Size: String(stored.size) }));
  }
  return { contentType: 'application/json', body: lines.map((line) => `${line}\n`).join('') };
}

function cat(store: Store, query: URLSearchParams): Answer | Failure {
  const content = store.read(cidIn(query));
  if (!content) return { status: 500, message: 'block was not found locally (offline)' };
  const start = Number(query.get('offset') ?? 0);
  const length = Number(query.get('length') ?? content.length);
  return { contentType: 'text/plain', body: content.subarray(start, start + length) };
}

function pin(store: Store, query: URLSearchParams): Answer | Failure {
  const cid = cidIn(query);
  return store.read(cid) ? json({ Pins: [cid] }) : { status: 500, message: `pin: ${cid} was not added here` };
}

function cidIn(query: URLSearchParams): string {
  return (query.get('arg') ?? '').replace(/^\/ipfs\//, '');
}

function json(value: object): Answer {
  return { contentType: 'application/json', body: JSON.stringify(value) };
}

/** Undefined when there are too many bytes. */
async function bodyOf(request: IncomingMessage): Promise<Buffer<ArrayBuffer> | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes <= maxRequestBytes) chunks.push(chunk);
  }
  return bytes > maxRequestBytes ? undefined : Buffer.concat(chunks);
}

/** The files of a multipart body in their order; names are percent-encoded. Undefined for another body. */
async function filesIn(
  body: Buffer<ArrayBuffer>,
  contentType: string,
): Promise<{ name: string; content: Uint8Array }[] | undefined> {
  try {
    const form = await new Response(body, { headers: { 'content-type': contentType } }).formData();
    const files = [...form.values()].filter((value) => typeof value !== 'string');
    return await Promise.all(
      files.map(async (file) => ({ name: decodeURIComponent(file.name), content: await file.bytes() })),
    );
  } catch {
    return undefined;
  }
}
