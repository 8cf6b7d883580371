import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { json, text } from 'node:stream/consumers';
import { WebSocketServer } from 'ws';

/** One node for all networks, whose chain stands still. It counts what it is asked. */
export interface StillChain {
  /** Not a loopback address, which an EndpointSlice must not have. */
  host: string;
  port: number;
  /** Calls so far, over HTTP and WebSockets. */
  calls(): number;
  /** WebSockets that are open now. */
  sockets(): number;
  stop(): Promise<void>;
}

interface Call {
  id: number;
  method: string;
  params: unknown[];
}

const hashOf = (number: number) => `0x${number.toString(16).padStart(64, '0')}`;

function answer({ id, method, params }: Call): object {
  const block = (number: number) => ({
    ...{
      number: `0x${number.toString(16)}`,
      hash: hashOf(number),
      parentHash: hashOf(Math.max(0, number - 1)),
    },
    ...{ timestamp: '0x1', gasLimit: '0x3b9aca00', baseFeePerGas: '0x1', transactions: [] },
  });
  const results: Record<string, () => unknown> = {
    eth_blockNumber: () => '0x5',
    eth_chainId: () => '0x1',
    eth_subscribe: () => '0x1',
    eth_getBlockByNumber: () => {
      const [number] = params;
      const asked = number === 'latest' ? 5 : Number(number);
      return asked > 5 ? null : block(asked);
    },
  };
  const find = results[method];
  if (find) return { jsonrpc: '2.0', id, result: find() };
  return { jsonrpc: '2.0', id, error: { code: -32601, message: 'method not found' } };
}

export async function startStillChain(): Promise<StillChain> {
  let count = 0;
  const reply = (call: Call) => {
    count += 1;
    return answer(call);
  };
  const server = createServer(async (request, response) => {
    const calls = (await json(request).catch(() => text(request))) as Call | Call[];
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(Array.isArray(calls) ? calls.map(reply) : reply(calls)));
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => {
    socket.on('message', (data) => socket.send(JSON.stringify(reply(JSON.parse(String(data))))));
  });
  await once(server.listen(0, '0.0.0.0'), 'listening');
  const outer = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  const own = outer.find(({ family, internal }) => family === 'IPv4' && !internal);
  if (!own) throw new Error('this machine has no address but its loopback: the nodes cannot be reached');
  return {
    host: own.address,
    port: (server.address() as AddressInfo).port,
    calls: () => count,
    sockets: () => sockets.clients.size,
    async stop() {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      server.close();
    },
  };
}
