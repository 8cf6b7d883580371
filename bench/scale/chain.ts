import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { json, text } from 'node:stream/consumers';
import { WebSocketServer } from 'ws';

/** Nodes whose chains stand still, in one process. They count what they are asked. */
export interface StillChain {
  /** Not a loopback address, which an EndpointSlice must not have. */
  host: string;
  /** The port of a network's node, which starts to listen: only the port says whose chain id is asked for. */
  portFor(networkUid: string): Promise<number>;
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

function answer({ id, method, params }: Call, chainId: string): object {
  const block = (number: number) => ({
    number: `0x${number.toString(16)}`,
    hash: hashOf(number),
    parentHash: hashOf(Math.max(0, number - 1)),
    timestamp: '0x1',
    gasLimit: '0x3b9aca00',
    baseFeePerGas: '0x1',
    transactions: [],
  });
  const results: Record<string, () => unknown> = {
    eth_blockNumber: () => '0x5',
    eth_chainId: () => `0x${BigInt(chainId).toString(16)}`,
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

/** `chainIdOf`: what the status of a network says. */
export function startStillChain(chainIdOf: (networkUid: string) => string | undefined): StillChain {
  let count = 0;
  const servers: Server[] = [];
  const sockets = new WebSocketServer({ noServer: true });
  const listen = async (networkUid: string): Promise<number> => {
    const reply = (call: Call) => {
      count += 1;
      return answer(call, chainIdOf(networkUid) ?? '0');
    };
    const server = createServer(async (request, response) => {
      const calls = (await json(request).catch(() => text(request))) as Call | Call[];
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(Array.isArray(calls) ? calls.map(reply) : reply(calls)));
    });
    server.on('upgrade', (request, socket, head) => {
      sockets.handleUpgrade(request, socket, head, (opened) => {
        opened.on('message', (data) => opened.send(JSON.stringify(reply(JSON.parse(String(data))))));
      });
    });
    servers.push(server);
    await once(server.listen(0, '0.0.0.0'), 'listening');
    return (server.address() as AddressInfo).port;
  };
  const outer = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  const own = outer.find(({ family, internal }) => family === 'IPv4' && !internal);
  if (!own) throw new Error('this machine has no address but its loopback: the nodes cannot be reached');
  return {
    host: own.address,
    portFor: listen,
    calls: () => count,
    sockets: () => sockets.clients.size,
    async stop() {
      for (const socket of sockets.clients) socket.terminate();
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}
