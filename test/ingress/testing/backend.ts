import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type AddressInfo, isIPv4, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { WebSocketServer } from 'ws';
import { startNode, startWorld } from '../../../apiserver/gateway/testing/fixtures.ts';
import { createMainServer } from '../../../apiserver/server.ts';
import { startTestApi } from '../../../apiserver/testing/harness.ts';
import { networkType } from '../../../core/api/resources/resources.ts';
import { aNetwork } from '../../../core/api/testing/builders.ts';
import { createFakeKube } from '../../../core/kube/testing/fake/fake.ts';

const namespace = 'ws-one';
export const serviceDomain = 'services.localhost';
/** The largest JSON-RPC body that the backend accepts. */
export const maxBodyBytes = 10 * 1024 * 1024;
/** How many messages the node sends as soon as a WebSocket is open. */
export const greetings = 50;

export type Backend = Awaited<ReturnType<typeof startBackend>>;

/**
 * The API server's own code on an address that an EndpointSlice may have, in front of a node that answers each call with
 * the size of its body, greets WebSockets with numbered messages and sends back what they send.
 */
export async function startBackend() {
  const kube = createFakeKube();
  const api = await startTestApi({ kube, users: [{ userId: 'ann', workspaceId: 'one', namespace }] });
  const node = await startNode((request, response) => {
    void request.toArray().then((chunks) => response.end(answerTo(Buffer.concat(chunks))));
  });
  const sockets = new WebSocketServer({ server: node.server });
  sockets.on('connection', (socket) => {
    for (let id = 0; id < greetings; id += 1)
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: 'hello' }));
    socket.on('message', (data) => {
      const { id, params } = JSON.parse(String(data));
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: params[0].data }));
    });
  });
  const settings = { holdSeconds: 20, maxBodyBytes };
  const world = await startWorld(node, { settings, serviceDomain });
  const seen: IncomingMessage['headers'][] = [];
  const app = (...[request, response]: Parameters<typeof api.app>) => {
    seen.push(request.headers);
    return api.app(request, response);
  };
  const server = createMainServer({ app, gateway: world.gateway, serviceDomain, isDraining: () => false });
  const host = ownAddress();
  server.on('connection', (socket: Socket) => void (socket.remoteAddress !== host && socket.destroy()));
  server.listen(0, host);
  await once(server, 'listening');
  return {
    api,
    world,
    host,
    seen,
    port: (server.address() as AddressInfo).port,
    /** The path of a service of the network. */
    pathOf: (service: string) => new URL(world.url(service)).pathname,
    createNetwork: (name: string) => kube.create(networkType, aNetwork({ name, namespace })),
    async close() {
      server.closeAllConnections();
      server.close();
      for (const socket of sockets.clients) socket.terminate();
      await api.close();
      await world.close();
      await node.close();
    },
  };
}

function answerTo(body: Buffer): string {
  const { id } = JSON.parse(body.toString());
  return JSON.stringify({ jsonrpc: '2.0', id, result: `0x${body.length.toString(16)}` });
}

/** Kubernetes refuses loopback addresses as endpoints. One that other machines do not reach is better. */
export function ownAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  const usable = all.filter(({ address }) => isIPv4(address) && !address.startsWith('127.'));
  const own = usable.find(({ internal }) => internal) ?? usable[0];
  if (!own)
    throw new Error('this machine has no IPv4 address besides loopback, which an EndpointSlice may not have');
  return own.address;
}
