import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { request as askSecurely } from 'node:https';
import { parse } from 'yaml';
import type { Handler } from './api.ts';

/** How to reach a kube-apiserver by token, read from its kubeconfig. */
export interface Server {
  url: string;
  ca: Buffer;
  token: string;
}

export function serverOf(kubeconfigPath: string): Server {
  const { clusters, users } = parse(readFileSync(kubeconfigPath, 'utf8'));
  const { server, 'certificate-authority-data': authority } = clusters[0].cluster;
  return { url: server, ca: Buffer.from(authority, 'base64'), token: users[0].user.token };
}

/** A proxy between a client and kube-apiserver that injects faults into watches on request. */
export interface FaultyProxy {
  /** For startTestApi. */
  handler: Handler;
  /** Disconnects the open watches. */
  cut(): void;
  /** Keeps the open watches open, but stops forwarding events. */
  stall(): void;
  /** Writes a text into the open watches. */
  say(text: string): void;
  /** Answers the next `times` watches instead of the server. */
  answer(times: number, by: (response: ServerResponse) => void): void;
}

export function createFaultyProxy(server: Server): FaultyProxy {
  const watches = new Map<ServerResponse, IncomingMessage>();
  const answers: ((response: ServerResponse) => void)[] = [];

  function pass(request: IncomingMessage, response: ServerResponse): void {
    const { authorization: _own, host: _host, ...headers } = request.headers;
    const upstream = askSecurely(`${server.url}${request.url}`, {
      method: request.method,
      ca: server.ca,
      headers: { ...headers, authorization: `Bearer ${server.token}` },
    });
    upstream.on('error', () => response.destroy());
    response.on('close', () => {
      watches.delete(response);
      upstream.destroy();
    });
    upstream.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, { 'content-type': 'application/json' });
      response.flushHeaders();
      answer.on('error', () => response.destroy());
      answer.pipe(response);
      if (isWatch(request)) watches.set(response, answer);
    });
    request.pipe(upstream);
  }

  return {
    handler(request, response) {
      const answer = isWatch(request) ? answers.shift() : undefined;
      if (answer) return answer(response);
      pass(request, response);
    },
    cut: () => watches.forEach((_answer, response) => void response.destroy()),
    stall: () => watches.forEach((answer, response) => void answer.unpipe(response).pause()),
    say: (text) => watches.forEach((_answer, response) => void response.write(text)),
    answer: (times, by) => void answers.push(...Array.from({ length: times }, () => by)),
  };
}

function isWatch({ url }: IncomingMessage): boolean {
  return url?.includes('watch=true') ?? false;
}
