import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket, WebSocketServer } from 'ws';
import { authorityOf } from '../../../core/lib/authority.ts';
import { AppError, messageOf } from '../../../core/lib/errors.ts';
import { openNodeSocket } from '../../../core/lib/http/nodeSocket.ts';
import type { Hold } from '../../http/limits/memoryBudget.ts';
import type { Admitted, GatewayCore } from '../core.ts';
import type { Upstream } from '../deps.ts';
import type { JsonRpcPolicy } from '../policy/policy.ts';
import { credentialsOnHost, headersToService } from '../proxy/plainHeaders.ts';
import { notFound } from '../wake/readiness.ts';
import { type Bridge, createBridge, createPlainBridge, endExhausted } from './bridge.ts';
import type { Bridges } from './bridges.ts';
import { closeCodes } from './closeCodes.ts';
import { createFrameMeter, type FrameMeter } from './frameMeter.ts';

/** What a connection is counted by. */
export interface ConnectionSlot {
  hold: Hold;
  /** The client's side is closed: another one may connect. */
  leave(): void;
  /** Both sides are closed, and their memory is free. */
  end(): void;
}

interface Opening {
  request: IncomingMessage;
  socket: Duplex;
  head: Buffer;
  server: WebSocketServer;
  bridges: Bridges;
  slot: ConnectionSlot;
  upstream: Upstream;
}

/** A connection that may be opened. */
export interface SocketAdmitted extends Admitted {
  /** Where the service takes it. */
  socketPath: string;
  /** Undefined: an application, which gets everything as it is. */
  jsonRpc: JsonRpcPolicy | undefined;
}

/** Clients mask what they send, servers do not (RFC 6455, 5.1). */
const clientMaskBytes = 4;
/** Largest message of a node that is forwarded, in bytes; a larger one closes the connection with 1009. */
const maxNodeMessageBytes = 64 * 1024 * 1024;

/**
 * Connects to the node, accepts the upgrade and joins the two. Throws Unavailable if the node cannot be reached, NotFound
 * if the key was replaced meanwhile.
 */
export async function openBridge(
  core: GatewayCore,
  admitted: SocketAdmitted,
  opening: Opening,
): Promise<void> {
  const { hold } = opening.slot;
  let client: WebSocket | undefined;
  const onExhausted = (stream: Duplex) => {
    if (client) endExhausted(core, { client, node });
    else stream.destroy();
  };
  const nodeMeter = createFrameMeter(hold, { maskBytes: 0, onExhausted });
  const node = startNode(core, admitted, opening);
  await whenOpen(core, admitted, { node, meter: nodeMeter });
  if (!admitted.isCurrent()) {
    node.terminate();
    throw notFound();
  }
  accept(core, admitted, {
    ...opening,
    node,
    meter: createFrameMeter(hold, { maskBytes: clientMaskBytes, onExhausted }),
    onClient: (accepted) => {
      client = accepted;
    },
  });
}

function startNode(
  { deps, limits }: GatewayCore,
  { jsonRpc, socketPath, isHosted }: SocketAdmitted,
  { upstream, request }: Opening,
): WebSocket {
  const given = isHosted ? credentialsOnHost(request.headers) : request.headers;
  return openNodeSocket(`ws://${authorityOf(upstream)}${socketPath}`, {
    protocols: jsonRpc ? [] : protocolsOf(request),
    headers: jsonRpc ? {} : headersToService(given, { isApplication: true }),
    maxPayload: maxNodeMessageBytes,
    clock: deps.clock,
    connectMs: limits.connectMs,
  });
}

/** The subprotocols that a client offers, such as those of GraphQL. */
function protocolsOf({ headers }: IncomingMessage): string[] {
  const offered = headers['sec-websocket-protocol']?.split(',').map((text) => text.trim()) ?? [];
  return [...new Set(offered)].filter((text) => /^[\w.+-]{1,64}$/.test(text)).slice(0, 8);
}

/** The node comes first, so that an unreachable node results in an HTTP status instead of an early close. */
function whenOpen(
  core: GatewayCore,
  { networkUid }: SocketAdmitted,
  { node, meter }: { node: WebSocket; meter: FrameMeter },
): Promise<void> {
  return new Promise((resolve, reject) => {
    // This listener stays: `close` always follows an error, and the bridge reacts to `close`.
    node.on('error', (error) => {
      core.warn(networkUid, 'a node refused a WebSocket connection', messageOf(error));
      reject(
        new AppError('Unavailable', 'the node does not accept the connection; retry', {
          retryAfterSeconds: 1,
        }),
      );
    });
    node.once('upgrade', ({ socket }) => {
      meter.beforeRead(socket);
      node.once('open', () => {
        meter.afterRead(socket, node);
        resolve();
      });
    });
  });
}

interface Accepting extends Opening {
  node: WebSocket;
  /** The client's. */
  meter: FrameMeter;
  onClient(client: WebSocket): void;
}

function accept(core: GatewayCore, admitted: SocketAdmitted, accepting: Accepting): void {
  const { request, socket, head, server, bridges, slot, node, meter, onClient } = accepting;
  if (socket.destroyed || node.readyState !== node.OPEN) {
    node.terminate();
    throw new AppError('Unavailable', 'the connection to the node was lost; retry', { retryAfterSeconds: 1 });
  }
  const abandon = () => {
    node.terminate();
    slot.end();
  };
  // This also covers an invalid handshake: `ws` answers it itself and ends the socket.
  socket.once('close', abandon);
  meter.beforeRead(socket);
  chosenProtocols.set(request, node.protocol);
  server.handleUpgrade(request, socket, head, (client) => {
    socket.off('close', abandon);
    client.on('error', () => undefined);
    meter.afterRead(socket, client);
    onClient(client);
    const sides = { client, node, hold: slot.hold };
    const bridge = admitted.jsonRpc
      ? createBridge(core, { ...admitted, policy: admitted.jsonRpc }, sides)
      : createPlainBridge(core, admitted, sides);
    // Until now nobody listened: what either side has said already waits.
    for (const side of [client, node]) side.resume();
    const remove = bridges.add(admitted.networkUid, bridge);
    const cancelEnd = endInTime(core, admitted, bridge);
    core.metrics.sockets(1);
    client.once('close', () => {
      cancelEnd();
      slot.leave();
      core.metrics.sockets(-1);
    });
    whenBothClosed(client, node, () => {
      remove();
      slot.end();
    });
  });
}

/** Closes a connection when its key expires. */
function endInTime({ deps }: GatewayCore, { key, expiresAtMs }: Admitted, bridge: Bridge): () => void {
  if (expiresAtMs === undefined) return () => undefined;
  const end = () => {
    // The expiry may have been changed since.
    if (bridge.isCurrent()) return;
    bridge.close(closeCodes.policyViolation, `the key "${key}" has expired: use another URL`);
  };
  return deps.clock.after(Math.max(0, expiresAtMs - deps.clock.nowMs()), end, 'background');
}

/** The subprotocol that a service chose, by the request of its client. */
const chosenProtocols = new WeakMap<IncomingMessage, string>();

/** The subprotocol to answer a client with; false: none. */
export function chosenProtocolOf(request: IncomingMessage): string | false {
  return chosenProtocols.get(request) || false;
}

function whenBothClosed(client: WebSocket, node: WebSocket, end: () => void): void {
  let open = 2;
  const count = () => {
    open -= 1;
    if (open === 0) end();
  };
  client.once('close', count);
  node.once('close', count);
}
