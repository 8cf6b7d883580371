import type { RawData, WebSocket } from 'ws';
import { withDeadline } from '../../../core/lib/deadline.ts';
import { isAppError, messageOf } from '../../../core/lib/errors.ts';
import type { Hold } from '../../http/limits/memoryBudget.ts';
import type { CallRecord } from '../calls/callRecord.ts';
import { recordOfSocket, screeningOf } from '../calls/openRecord.ts';
import type { Admitted, GatewayCore } from '../core.ts';
import { ownText } from '../jsonrpc/jsonRpcCall.ts';
import { scrubMessage } from '../jsonrpc/scrub.ts';
import type { JsonRpcPolicy } from '../policy/policy.ts';
import { failureText, rpcCodes, type Screened, screen } from '../policy/screen.ts';
import { carryClose, closeCodes } from './closeCodes.ts';
import { createHeadWaits, type HeadWaits } from './headWaits.ts';
import { inTurn } from './inTurn.ts';
import { createOpenCalls, type OpenCalls } from './openCalls.ts';
import { pause, resume } from './pauses.ts';
import { createSocketAssistance } from './socketAssistance.ts';
import { createSocketBatches, type SocketBatches } from './socketBatches.ts';
import { createSocketLimits } from './socketLimits.ts';
import { createSubscriptions, type Subscriptions } from './subscriptions.ts';

/** A client's WebSocket joined to the node's. */
export interface Bridge {
  /** Closes the client's side with a code and reason, and then the node's. */
  close(code: number, reason: string): void;
  /** Whether the access key that it was opened with is still valid. */
  isCurrent(): boolean;
  /**
   * Pings both sides and terminates a side that has not answered the last ping. That also ends a message that is never
   * finished, because the answer cannot be sent in the middle of a frame.
   */
  ping(): void;
  /** Cuts both connections without a close frame. */
  terminate(): void;
}

/** The two sides and what they occupy. */
export interface Sides {
  client: WebSocket;
  node: WebSocket;
  hold: Hold;
}

interface Joined extends Sides {
  waits: HeadWaits;
  batches: SocketBatches;
  open: OpenCalls;
  subscriptions: Subscriptions;
  record: CallRecord;
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
  sides: Sides,
): Bridge {
  const { client, node } = sides;
  const waits = createHeadWaits(core, admitted);
  const batches = createSocketBatches(sides.hold);
  const open = createOpenCalls(core.deps.clock);
  const room = core.subscriptionRooms.open(admitted);
  const subscriptions = createSubscriptions(room, open);
  const record = recordOfSocket(core, admitted, sides.hold);
  const joined = { ...sides, waits, batches, open, subscriptions, record };
  client.on('message', guard(core, sides, createFromClient(core, admitted, joined)));
  const toClient = createSend(sides, { source: node, target: client });
  // The connection stays with the node that it was opened to, whatever happens to the network.
  let wasFork = false;
  const fromNode = (message: Buffer, isBinary: boolean) => {
    wasFork ||= core.deps.networks.find(admitted.networkUid)?.isFork === true;
    const answer = batches.complete(wasFork ? scrubMessage(message) : message);
    toClient(answer, isBinary);
    record.read(answer);
    waits.noteSent(message);
    subscriptions.noteSent(message);
    open.noteSent(message);
  };
  node.on('message', guard(core, sides, fromNode));
  client.once('close', () => {
    waits.end();
    record.fail('the connection was closed before the answer');
  });
  node.once('close', () => {
    open.end();
    room.release();
  });
  // A node does not stop because its client has gone: it is listened to until the room of the calls is free.
  const inTime = { clock: core.deps.clock, limitMs: core.limits.idleMs, onLate: () => undefined };
  return joinSides(admitted, sides, () => withDeadline(inTime, open.whenRoomIsFree()));
}

/** Joins the sockets of an application, whose messages pass unchanged. */
export function createPlainBridge(core: GatewayCore, admitted: Admitted, sides: Sides): Bridge {
  const { client, node } = sides;
  const toNode = createSend(sides, { source: client, target: node });
  const toClient = createSend(sides, { source: node, target: client });
  const fromClient = (message: Buffer, isBinary: boolean) => {
    core.noteActivity(admitted.networkUid);
    toNode(message, isBinary);
  };
  client.on('message', guard(core, sides, fromClient));
  node.on('message', guard(core, sides, toClient));
  return joinSides(admitted, sides);
}

/** Closes each side with the other one, that of the node once it may be left. */
function joinSides(
  admitted: Admitted,
  sides: Sides,
  mayLeave: () => Promise<void> = () => Promise.resolve(),
): Bridge {
  const { client, node } = sides;
  client.on('close', (code, reason) => {
    void mayLeave().then(() => carryClose(node, { code, reason }, closeCodes.goingAway));
  });
  node.on('close', (code, reason) => carryClose(client, { code, reason }, closeCodes.serviceRestart));
  const pings = [createPing(client), createPing(node)];
  return {
    isCurrent: admitted.isCurrent,
    close: (code, reason) => closeSides(sides, code, reason),
    ping() {
      for (const ping of pings) ping();
    },
    terminate() {
      client.terminate();
      node.terminate();
    },
  };
}

/** Checks the messages of a client, answers those that are refused or worked out, and forwards the others. */
function createFromClient(
  core: GatewayCore,
  admitted: Admitted & { policy: JsonRpcPolicy },
  joined: Joined,
): (message: Buffer) => void {
  const { waits, batches, open, subscriptions, record, ...sides } = joined;
  const { client, node } = sides;
  const toClient = createAnswer(sides, record);
  const toNode = createSend(sides, { source: client, target: node });
  const pass = createPass(core, admitted, { ...joined, toClient, toNode });
  const onError = (error: unknown) => endFailed(core, sides, error);
  const work = createSocketAssistance(core, admitted, { ...sides, open, onError });
  const cut = () => endExhausted(core, sides, keepsWaiting);
  const withinLimits = createSocketLimits(core, admitted, { client, open, subscriptions, toClient, cut });
  // Some clients, web3.py among them, send their JSON in binary frames. Nodes get text.
  return inTurn({ ...sides, isCurrent: admitted.isCurrent, onError }, (message) => {
    core.noteActivity(admitted.networkUid);
    const of = { ...admitted, bytes: message.length };
    const reading = core.readInTurn(of, () => screen(message, screeningOf(admitted, record)));
    return reading instanceof Promise ? reading.then(handle) : handle(reading);
  });

  function handle(screened: Screened): Promise<void> | void {
    return withinLimits(screened, () => answer(screened));
  }

  function answer(screened: Screened): Promise<void> | void {
    if (screened.steps.length === 0) return pass(screened);
    waits.noteAsked(screened);
    return work(screened, (own) => {
      if (own === undefined) return pass(screened);
      core.metrics.message(screened.refusals.length > 0 ? 'refused' : 'ok');
      core.countCalls(admitted.networkUid, screened.calls);
      core.strandedTransactions.noteSent(admitted.networkUid, screened.transactions);
      toClient(own);
    });
  }
}

type Send = (text: Buffer | string) => void;

/** Sends what the gateway answers by itself. */
function createAnswer(sides: Sides, record: CallRecord): Send {
  const send = createSend(sides, { source: sides.client, target: sides.client });
  return (text) => {
    send(text);
    record.read(text);
  };
}

/** Forwards what may pass to the node, and answers what is refused. */
function createPass(
  core: GatewayCore,
  admitted: Admitted,
  joined: Joined & { toClient: Send; toNode: Send },
) {
  const { client, node, waits, batches, open, toClient, toNode } = joined;
  return (screened: Screened): void => {
    core.metrics.message(screened.refusals.length > 0 ? 'refused' : 'ok');
    const isSplit = screened.isBatch && screened.ids.length > 0 && screened.refusals.length > 0;
    if (screened.refusals.length > 0 && !isSplit) toClient(ownText(screened));
    core.strandedTransactions.noteSent(admitted.networkUid, screened.transactions);
    if (!screened.forward) return;
    if (node.readyState !== node.OPEN || client.readyState === client.CLOSED) {
      const text = 'the connection to the node was lost: connect again';
      toClient(failureText(screened, rpcCodes.internal, text));
      return;
    }
    if (isSplit) batches.expect(screened);
    core.countCalls(admitted.networkUid, screened.calls);
    if (screened.ids.length > 0) open.noteAsked();
    toNode(screened.forward);
    waits.noteAsked(screened);
  };
}

/** An error in a listener would end the process: it ends the connection instead. */
function guard(
  core: GatewayCore,
  sides: Sides,
  handle: (message: Buffer, isBinary: boolean) => void,
): (data: RawData, isBinary: boolean) => void {
  return (data, isBinary) => {
    try {
      handle(toBuffer(data), isBinary);
    } catch (error) {
      endFailed(core, sides, error);
    }
  };
}

function endFailed(core: GatewayCore, sides: Sides, error: unknown): void {
  if (isAppError(error, 'TooManyRequests')) return void endExhausted(core, sides, tooManyWait);
  if (isAppError(error)) return void endExhausted(core, sides);
  core.deps.log.error('a WebSocket message failed with an internal error', { error: messageOf(error) });
  closeSides(sides, closeCodes.internalError, 'internal error: connect again');
}

/** How long a connection that is over its budget may take to close. Nothing more is read from it. */
const exhaustedCloseMs = 1000;

const tooManyWait = 'too many long messages wait for their turn: wait for answers before you send more';
const keepsWaiting =
  'its calls have kept others waiting for minutes: read the answers, and send fewer at a time';
const shareOfMemory =
  'the network or its workspace holds its share of the memory: send less and connect again later';

/** Closes a connection that takes too much: by default one whose network or workspace holds its share of the request memory. */
export function endExhausted(
  { deps }: Pick<GatewayCore, 'deps'>,
  { client, node }: Pick<Sides, 'client' | 'node'>,
  reason = shareOfMemory,
): void {
  // It goes on sending although it was told to close.
  if (client.readyState === client.CLOSING && !client.isPaused) return void client.terminate();
  if (client.readyState !== client.OPEN) return;
  client.close(closeCodes.tryAgainLater, reason);
  pause(client, endExhausted);
  node.terminate();
  deps.clock.after(exhaustedCloseMs, () => client.terminate());
}

function closeSides({ client, node }: Sides, code: number, reason: string): void {
  client.close(code, reason);
  node.close(closeCodes.goingAway);
}

/**
 * Writes to `target` and pauses `source` while `target` is too far behind. What is not written yet is charged; throws
 * Unavailable if it is too much.
 */
function createSend(
  { hold }: Sides,
  { source, target }: { source: WebSocket; target: WebSocket },
): (data: Buffer | string, isBinary?: boolean) => void {
  return (data, isBinary = false) => {
    if (target.readyState !== target.OPEN) return;
    hold.take(data.length);
    target.send(data, { binary: isBinary }, () => {
      hold.give(data.length);
      if (target.bufferedAmount < highWaterBytes) resume(source, target);
    });
    if (target.bufferedAmount >= highWaterBytes) pause(source, target);
  };
}

function createPing(socket: WebSocket): () => void {
  let hasAnswered = true;
  let bufferedBefore = 0;
  socket.on('pong', () => {
    hasAnswered = true;
  });
  return () => {
    if (socket.readyState !== socket.OPEN) return;
    const { bufferedAmount: buffered, isPaused } = socket;
    const isMoving = buffered > 0 && buffered !== bufferedBefore;
    const isStuck = buffered > 0 && !isMoving;
    bufferedBefore = buffered;
    // A ping is queued behind the buffered data, which may take a slow reader longer than the interval.
    if (isPaused ? isStuck : !hasAnswered && !isMoving) return socket.terminate();
    // A paused socket is not read, so its pong cannot be seen: it must only take what waits for it.
    hasAnswered = isPaused;
    if (!isPaused) socket.ping();
  };
}

function toBuffer(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}
