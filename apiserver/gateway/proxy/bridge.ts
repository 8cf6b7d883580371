import type { RawData, WebSocket } from 'ws';
import type { Admitted, GatewayCore } from '../core.ts';
import { ownText } from '../jsonrpc/jsonRpcCall.ts';
import { scrubMessage } from '../jsonrpc/scrub.ts';
import type { JsonRpcPolicy } from '../policy/policy.ts';
import { failureText, rpcCodes, screen } from '../policy/screen.ts';
import { carryClose, closeCodes } from './closeCodes.ts';

/** A client's WebSocket joined to the node's. */
export interface Bridge {
  /** Closes the client's side with a code and reason, and then the node's. */
  close(code: number, reason: string): void;
  /** Whether the access key that it was opened with is still valid. */
  isCurrent(): boolean;
  /** Pings both sides and terminates a side that has not answered the last ping. */
  ping(): void;
}

/** Reading from one side pauses while more than this many bytes are buffered for the other. */
const highWaterBytes = 1024 * 1024;

/**
 * Joins two open sockets. Client messages are checked by the method policy. Node messages pass unchanged, except that
 * those of a fork are scrubbed of the URL of its source.
 */
export function createBridge(
  core: GatewayCore,
  admitted: Admitted & { policy: JsonRpcPolicy },
  { client, node }: { client: WebSocket; node: WebSocket },
): Bridge {
  const toClient = { source: client, target: client };
  client.on('message', (data: RawData, isBinary) => {
    if (isBinary) return client.close(closeCodes.unsupportedData, 'send JSON-RPC as text');
    core.noteActivity(admitted.networkUid);
    const screened = screen(toBuffer(data), admitted.access, admitted.policy);
    core.metrics.message(screened.refusals.length > 0 ? 'refused' : 'ok');
    if (screened.refusals.length > 0) send(ownText(screened), toClient);
    if (!screened.forward) return;
    if (node.readyState !== node.OPEN) {
      return send(
        failureText(screened, rpcCodes.internal, 'the connection to the node was lost: connect again'),
        toClient,
      );
    }
    send(screened.forward, { source: client, target: node });
    core.strandedTransactions.noteSent(admitted.networkUid, screened.transactions);
  });
  node.on('message', (data: RawData, isBinary) => {
    const isFork = core.deps.networks.find(admitted.networkUid)?.isFork === true;
    const message = toBuffer(data);
    send(isFork ? scrubMessage(message) : message, { source: node, target: client, isBinary });
  });
  client.on('close', (code, reason) => carryClose(node, { code, reason }, closeCodes.goingAway));
  node.on('close', (code, reason) => carryClose(client, { code, reason }, closeCodes.serviceRestart));
  const pings = [createPing(client), createPing(node)];
  return {
    isCurrent: admitted.isCurrent,
    close(code, reason) {
      client.close(code, reason);
      node.close(closeCodes.goingAway);
    },
    ping() {
      for (const ping of pings) ping();
    },
  };
}

interface Way {
  source: WebSocket;
  target: WebSocket;
  isBinary?: boolean;
}

/** Writes to `target` and pauses `source` while `target` is too far behind. */
function send(data: Buffer | string, { source, target, isBinary = false }: Way): void {
  if (target.readyState !== target.OPEN) return;
  target.send(data, { binary: isBinary }, () => {
    if (source.isPaused && target.bufferedAmount < highWaterBytes) source.resume();
  });
  if (target.bufferedAmount >= highWaterBytes) source.pause();
}

function createPing(socket: WebSocket): () => void {
  let hasAnswered = true;
  let bufferedBefore = 0;
  socket.on('pong', () => {
    hasAnswered = true;
  });
  return () => {
    // A paused socket is not read, so its pong cannot be seen.
    if (socket.readyState !== socket.OPEN || socket.isPaused) return;
    // A ping is queued behind the buffered data, which may take a slow reader longer than the interval.
    const isMoving = socket.bufferedAmount > 0 && socket.bufferedAmount !== bufferedBefore;
    if (!hasAnswered && !isMoving) return socket.terminate();
    bufferedBefore = socket.bufferedAmount;
    hasAnswered = false;
    socket.ping();
  };
}

function toBuffer(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}
