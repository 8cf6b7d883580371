import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';
import { authorityOf } from '../../../core/lib/authority.ts';
import { AppError, isAppError, messageOf } from '../../../core/lib/errors.ts';
import { requestIdOf } from '../../http/pipeline/requestId.ts';
import type { Admitted, GatewayCore } from '../core.ts';
import type { Upstream } from '../deps.ts';
import type { Outcome } from '../metrics.ts';
import type { JsonRpcPolicy } from '../policy/policy.ts';
import { isBareRest } from '../route.ts';
import { notFound } from '../wake/readiness.ts';
import { admit } from './admit.ts';
import { createBridge } from './bridge.ts';
import type { Bridges } from './bridges.ts';
import { errorReply, refuseUpgrade } from './replies.ts';

export interface Upgrade {
  request: IncomingMessage;
  socket: Duplex;
  head: Buffer;
}

type JsonRpcAdmitted = Admitted & { policy: JsonRpcPolicy };

/** Largest message of a node that is forwarded, in bytes; a larger one closes the connection with 1009. */
const maxNodeMessageBytes = 64 * 1024 * 1024;
const options = { perMessageDeflate: false } as const;

/** Answers WebSocket upgrades of gateway URLs. The promise resolves when the client is connected or refused. */
export function createUpgradeHandler(
  core: GatewayCore,
  bridges: Bridges,
): (upgrade: Upgrade) => Promise<void> {
  const { settings, clock, log } = core.deps;
  const maxPayload = settings.maxBodyBytes;
  const server = new WebSocketServer({
    ...options,
    noServer: true,
    maxPayload,
    handleProtocols: () => false,
  });
  return async (upgrade) => {
    const { request, socket } = upgrade;
    const startMs = clock.nowMs();
    const requestId = requestIdOf(request.headers['x-request-id']);
    socket.on('error', () => socket.destroy());
    let admitted: Admitted | undefined;
    let outcome: Outcome;
    try {
      admitted = await admit(core, request.url ?? '', requestId);
      outcome = await connect(core, admitted, { ...upgrade, server, bridges });
    } catch (thrown) {
      if (!isAppError(thrown))
        log.error('an upgrade failed with an internal error', { requestId, error: messageOf(thrown) });
      const error = isAppError(thrown)
        ? thrown
        : new AppError('Internal', 'internal error: find it in the log by the request id');
      refuseUpgrade(socket, errorReply(error, requestId), requestId);
      outcome = error.reason === 'NotFound' ? 'notFound' : 'unavailable';
    }
    core.metrics.request(admitted?.service ?? 'none', outcome, clock.nowMs() - startMs);
  };
}

type Connect = Upgrade & { server: WebSocketServer; bridges: Bridges };

async function connect(core: GatewayCore, admitted: Admitted | undefined, parts: Connect): Promise<Outcome> {
  const { request, socket, bridges } = parts;
  if (admitted?.policy.kind !== 'jsonRpc' || !isSocketPath(admitted.policy, admitted.rest)) throw notFound();
  if (request.headers.upgrade?.toLowerCase() !== 'websocket') {
    throw new AppError('BadRequest', 'only upgrades to WebSocket are supported: send "Upgrade: websocket"');
  }
  const { networkUid, policy } = admitted;
  if (!bridges.hasRoom(networkUid)) {
    throw new AppError(
      'TooManyRequests',
      'the network has too many open WebSocket connections: close some and retry',
      {
        retryAfterSeconds: 5,
      },
    );
  }
  core.noteActivity(networkUid);
  const ports = ['ws', ...policy.ports];
  const verdict =
    core.readiness.now(networkUid, ports) ?? (await core.readiness.wait(networkUid, ports, socket));
  if (!verdict || socket.destroyed) return 'aborted';
  if ('error' in verdict) throw verdict.error;
  if (!admitted.isCurrent()) throw notFound();
  const node = await openNode(core, { ...admitted, policy }, verdict.upstream);
  return accept(core, { ...admitted, policy }, { ...parts, node });
}

function isSocketPath({ socketPath, hasSocket = true }: JsonRpcPolicy, rest: string): boolean {
  if (!hasSocket) return false;
  return isBareRest(rest) || (socketPath !== undefined && rest === socketPath);
}

/** Connects to the node first, so that an unreachable node results in an HTTP status instead of an early close. */
function openNode(core: GatewayCore, admitted: JsonRpcAdmitted, upstream: Upstream): Promise<WebSocket> {
  const path = admitted.policy.socketPath ?? '/';
  const node = new WebSocket(`ws://${authorityOf(upstream)}${path}`, {
    ...options,
    followRedirects: false,
    handshakeTimeout: core.limits.connectMs,
    maxPayload: maxNodeMessageBytes,
  });
  return new Promise((resolve, reject) => {
    // This listener stays: `close` always follows an error, and the bridge reacts to `close`.
    node.on('error', (error) => {
      core.warn(admitted.networkUid, 'a node refused a WebSocket connection', messageOf(error));
      reject(
        new AppError('Unavailable', 'the node does not accept the connection; retry', {
          retryAfterSeconds: 1,
        }),
      );
    });
    node.once('open', () => resolve(node));
  });
}

function accept(
  core: GatewayCore,
  admitted: JsonRpcAdmitted,
  { request, socket, head, server, bridges, node }: Connect & { node: WebSocket },
): Outcome {
  const abandon = () => node.terminate();
  if (socket.destroyed || node.readyState !== node.OPEN) {
    abandon();
    throw new AppError('Unavailable', 'the connection to the node was lost; retry', { retryAfterSeconds: 1 });
  }
  // This also covers an invalid handshake: `ws` answers it itself and ends the socket.
  socket.once('close', abandon);
  server.handleUpgrade(request, socket, head, (client) => {
    socket.off('close', abandon);
    client.on('error', () => undefined);
    const remove = bridges.add(admitted.networkUid, createBridge(core, admitted, { client, node }));
    core.metrics.sockets(1);
    client.once('close', () => {
      remove();
      core.metrics.sockets(-1);
    });
  });
  return 'ok';
}
