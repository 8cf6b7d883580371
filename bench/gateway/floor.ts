import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import {
  type AddressInfo,
  connect,
  createServer as createByteServer,
  type Server,
  type Socket,
} from 'node:net';

/**
 * `floor.ts http|bytes <port of the node>`: the least that a proxy in Node costs, in a process of its own; prints its URL.
 * `http` reads and writes HTTP with `node:http` on both sides, with persistent connections; `bytes` joins each connection with
 * one to the node and looks at nothing. Neither checks, limits or counts anything.
 */
const [kind, nodePort = ''] = process.argv.slice(2);
const upstream = { host: '127.0.0.1', port: Number(nodePort), noDelay: true };

/** Joins two connections until one of them ends. */
function join(one: Socket, other: Socket): void {
  one.pipe(other).pipe(one);
  for (const [socket, peer] of [
    [one, other],
    [other, one],
  ] as const) {
    socket.on('error', () => peer.destroy());
    socket.on('close', () => peer.destroy());
  }
}

function createHttpFloor(): Server {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const server = createServer((incoming, response) => {
    const { method, headers } = incoming;
    const outgoing = request({ ...upstream, agent, method, path: '/', headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    incoming.pipe(outgoing);
  });
  server.keepAliveTimeout = 620_000;
  server.on('upgrade', ({ headers }, socket: Socket, head) => {
    const node = connect(upstream, () => {
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      node.write(`GET / HTTP/1.1\r\n${lines.join('')}\r\n`);
      node.write(head);
      join(socket, node);
    });
  });
  return server;
}

function createByteFloor(): Server {
  return createByteServer({ noDelay: true }, (socket) => join(socket, connect(upstream)));
}

const server = kind === 'bytes' ? createByteFloor() : createHttpFloor();
await once(server.listen(0, '127.0.0.1'), 'listening');
console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
