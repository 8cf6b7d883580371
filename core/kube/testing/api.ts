import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../lib/clock.ts';
import { silentLog } from '../../lib/log.ts';
import { createKube, type KubeClient, type KubeOptions } from '../client/client.ts';
import type { ConfigMap } from '../types.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A local HTTP server that replaces kube-apiserver, and a kubeconfig for it. */
export interface TestApi {
  kubeconfigPath: string;
  tokenPath: string;
  /** Method and path of each request so far, with its credentials. */
  requests: { method: string; url: URL; authorization: string | undefined }[];
  /** Connections opened so far. */
  connectionCount(): number;
  createKube(options?: Partial<KubeOptions>): KubeClient;
  close(): Promise<void>;
}

export async function startTestApi(handler: Handler): Promise<TestApi> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-kube-'));
  const sockets = new Set<Socket>();
  const requests: TestApi['requests'] = [];
  const clients: KubeClient[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://api');
    requests.push({ method: request.method ?? '', url, authorization: request.headers.authorization });
    handler(request, response);
  });
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const paths = writeConfig(folder, port);
  return {
    ...paths,
    requests,
    connectionCount: () => sockets.size,
    createKube(options = {}) {
      const { kubeconfigPath } = paths;
      const kube = createKube({ kubeconfigPath, log: silentLog, clock: systemClock, ...options });
      clients.push(kube);
      return kube;
    },
    async close() {
      await Promise.all(clients.map((client) => client.close()));
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true });
    },
  };
}

function writeConfig(folder: string, port: number) {
  const kubeconfigPath = join(folder, 'kubeconfig');
  const tokenPath = join(folder, 'token');
  writeFileSync(tokenPath, 'first\n');
  const user = { 'auth-provider': { name: 'tokenFile', config: { tokenFile: tokenPath } } };
  const config = {
    clusters: [
      { name: 'a', cluster: { server: `http://127.0.0.1:${port}/`, 'insecure-skip-tls-verify': true } },
    ],
    users: [{ name: 'a', user }],
    contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
    'current-context': 'a',
  };
  writeFileSync(kubeconfigPath, JSON.stringify(config));
  return { kubeconfigPath, tokenPath };
}

export function sendJson(response: ServerResponse, statusCode: number, body: unknown): void {
  response.writeHead(statusCode, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** A Status as kube-apiserver sends it. */
export function status(code: number, reason: string, rest: object = {}): object {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    code,
    reason,
    message: `it is ${reason}`,
    ...rest,
  };
}

export function configMapAt(version: number, name: string, namespace = 'default'): ConfigMap {
  const metadata = { name, namespace, uid: `uid-${name}`, resourceVersion: String(version) };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { version: String(version) } };
}

export function listOf(version: number, items: object[]): object {
  return { kind: 'ConfigMapList', apiVersion: 'v1', metadata: { resourceVersion: String(version) }, items };
}

export function eventLine(type: string, object: object): string {
  return `${JSON.stringify({ type, object })}\n`;
}
