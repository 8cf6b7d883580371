import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { AppError, isAppError, messageOf } from '../../../core/lib/errors.ts';
import { frameLimits } from '../../../core/lib/http/nodeSocket.ts';
import { requestIdOf } from '../../http/pipeline/requestId.ts';
import type { Admitted, GatewayCore } from '../core.ts';
import type { CallOutcome } from '../metrics.ts';
import type { JsonRpcPolicy } from '../policy/policy.ts';
import { admit } from '../proxy/admit.ts';
import { outcomeOf } from '../proxy/httpHandler.ts';
import { errorReply, refuseUpgrade } from '../proxy/replies.ts';
import { isBareRest } from '../route.ts';
import { notFound } from '../wake/readiness.ts';
import type { Bridges } from './bridges.ts';
import { type ConnectionSlot, chosenProtocolOf, openBridge, type SocketAdmitted } from './openBridge.ts';

export interface Upgrade {
  request: IncomingMessage;
  socket: Duplex;
  head: Buffer;
}

/** What an open connection occupies at least: two sockets, the unfinished beginning of a message, its fragments. */
const connectionBytes = 64 * 1024;

/** Answers WebSocket upgrades of gateway URLs. The promise resolves when the client is connected or refused. */
export function createUpgradeHandler(
  core: GatewayCore,
  bridges: Bridges,
): (upgrade: Upgrade) => Promise<void> {
  const { settings, clock, log } = core.deps;
  const maxPayload = settings.maxBodyBytes;
  const server = new WebSocketServer({
    ...frameLimits,
    noServer: true,
    maxPayload,
    handleProtocols: (_offered, client) => chosenProtocolOf(client),
  });
  return async (upgrade) => {
    const { request, socket } = upgrade;
    const startMs = clock.nowMs();
    const requestId = requestIdOf(request.headers['x-request-id']);
    socket.on('error', () => socket.destroy());
    let admitted: Admitted | undefined;
    let outcome: CallOutcome;
    try {
      admitted = await admit(core, request, requestId);
      outcome = await connect(core, admitted, { ...upgrade, server, bridges });
    } catch (thrown) {
      if (!isAppError(thrown))
        log.error('an upgrade failed with an internal error', { requestId, error: messageOf(thrown) });
      const error = isAppError(thrown)
        ? thrown
        : new AppError('Internal', 'internal error: find it in the log by the request id');
      refuseUpgrade(socket, errorReply(error, requestId), requestId);
      outcome = outcomeOf(error);
    }
    core.metrics.request(admitted?.service ?? 'none', outcome, clock.nowMs() - startMs);
  };
}

type Connect = Upgrade & { server: WebSocketServer; bridges: Bridges };

async function connect(
  core: GatewayCore,
  admitted: Admitted | undefined,
  parts: Connect,
): Promise<CallOutcome> {
  const { request, socket, bridges } = parts;
  const target = admitted && socketOf(admitted);
  if (!target) throw notFound();
  if (request.headers.upgrade?.toLowerCase() !== 'websocket') {
    throw new AppError('BadRequest', 'only upgrades to WebSocket are supported: send "Upgrade: websocket"');
  }
  const { networkUid, policy } = target;
  const slot = createSlot(core, bridges, { admitted: target, source: core.sourceOf(request) });
  try {
    core.noteActivity(networkUid);
    const ports = target.jsonRpc ? ['ws', ...policy.ports] : policy.ports;
    const verdict =
      core.readiness.now(networkUid, ports) ?? (await core.readiness.wait(networkUid, ports, socket));
    if (verdict && 'error' in verdict) throw verdict.error;
    if (!target.isCurrent()) throw notFound();
    if (verdict && !socket.destroyed) {
      await openBridge(core, target, { ...parts, slot, upstream: verdict.upstream });
      return 'ok';
    }
    slot.end();
    return 'aborted';
  } catch (error) {
    slot.end();
    throw error;
  }
}

/** Counts a connection and the memory that it occupies at least. Throws TooManyRequests or Unavailable. */
function createSlot(
  core: GatewayCore,
  bridges: Bridges,
  { admitted, source }: { admitted: Admitted; source: string },
): ConnectionSlot {
  const { networkUid, workspace, key } = admitted;
  const leave = bridges.enter({ networkUid, key, source });
  const hold = core.memory.open('network', networkUid, workspace);
  const end = () => {
    leave();
    hold.release();
  };
  try {
    hold.take(connectionBytes);
  } catch (error) {
    end();
    throw error;
  }
  return { hold, leave, end };
}

/** Where the service of a URL takes WebSockets; undefined: nowhere. */
function socketOf(admitted: Admitted): SocketAdmitted | undefined {
  const { policy, rest } = admitted;
  if (policy.kind === 'plainHttp') {
    const socketPath = rest.startsWith('/') ? rest : `/${rest}`;
    return policy.isApplication ? { ...admitted, socketPath, jsonRpc: undefined } : undefined;
  }
  if (policy.kind !== 'jsonRpc') return undefined;
  const socketPath = policy.socketPath ?? '/';
  return isSocketPath(policy, rest) ? { ...admitted, socketPath, jsonRpc: policy } : undefined;
}

function isSocketPath({ socketPath, hasSocket = true }: JsonRpcPolicy, rest: string): boolean {
  if (!hasSocket) return false;
  return isBareRest(rest) || (socketPath !== undefined && rest === socketPath);
}
