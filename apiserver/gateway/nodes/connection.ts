import type { IncomingHttpHeaders } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Clock } from '../../../core/lib/clock.ts';
import { maxInterimHeads } from '../../../core/lib/http/interimHeads.ts';
import type { GatewayLimits } from '../deps.ts';
import { type AnswerBody, createAnswerBody } from './answerBody.ts';
import { type AnswerHead, malformed, parseAnswerHead } from './answerHead.ts';
import { type NodeRequest, requestHead } from './requestText.ts';

/** Takes the answer to one request. What it throws ends the call with that error. */
export interface AnswerTaker {
  /** The request is being written: from now on the node may have seen it. */
  sent(): void;
  head(status: number, headers: IncomingHttpHeaders): void;
  /** False: nothing more is read until `resume`. */
  data(part: Buffer): boolean;
  /** The answer is complete; `last` is the rest of its body, all of it if there was no `data`. */
  end(last: Buffer | undefined): void;
  /** The last of all: there is no answer, or not the rest of it. */
  failed(error: Error): void;
}

/** A connection to a node, for one request at a time. */
export interface NodeConnection {
  /** Sends a request, at once or when the connection is open. */
  send(request: NodeRequest, taker: AnswerTaker): void;
  resume(): void;
  /** Ends it if the node has let its call wait for too long, or the caller takes nothing. To be called now and then. */
  checkTime(nowMs: number): void;
  /** Since when it carries its call; undefined while it carries none. */
  busySinceMs(): number | undefined;
  /** Whether the node has not closed it, as far as is known. */
  isUsable(): boolean;
  /** Cuts the connection. The call that it carries fails with `error`. */
  destroy(error: Error): void;
}

export interface ConnectionOptions {
  upstream: NodeRequest['upstream'];
  limits: Pick<GatewayLimits, 'connectMs' | 'idleMs'>;
  clock: Pick<Clock, 'nowMs'>;
  /** It can take another request after the answer with this head. Called before the taker's `end`. */
  onFree(head: AnswerHead): void;
  /** It is closed, after the taker was told. */
  onClosed(): void;
}

/** So many times as long as a caller may take nothing, it may keep an answer waiting in all, besides the time of a slow one. */
const longestWaits = 4;
/** As slowly as uploads may come. */
const slowestBytesPerSecond = 8 * 1024;
const endOfHead = Buffer.from('\r\n\r\n');
const maxHeadBytes = 16 * 1024;
/** Up to this length, copying a body into one text with the head costs less than a second buffer. */
const maxTextBytes = 16 * 1024;

interface Call {
  request: NodeRequest;
  taker: AnswerTaker;
  head: AnswerHead | undefined;
  body: AnswerBody | undefined;
  /** The beginning of its head. */
  held: Buffer | undefined;
  /** Heads of interim answers before it. */
  interim: number;
  /** Bytes of the answer that have come. */
  bytes: number;
  sinceMs: number;
  /** How long it has waited for its caller to take them, up to the last time that the caller did. */
  waitedMs: number;
}

interface State {
  socket: Socket;
  call: Call | undefined;
  isOpen: boolean;
  /** When the node last had a reason to answer, or did. */
  activeMs: number;
  /** Since when it waits for the caller; it does not always. */
  pausedMs: number;
  /** Why it is being cut. */
  failure: Error | undefined;
}

export function createConnection({ upstream, limits, clock, ...on }: ConnectionOptions): NodeConnection {
  const socket = connect({ ...upstream, noDelay: true, keepAlive: true });
  const state = newState(socket, clock.nowMs());
  const finish: Finish = ({ taker, head }, last, isWhole) => {
    state.call = undefined;
    // A node may answer before it has read all of the request.
    if (isWhole && head?.isKept && socket.writableLength === 0) on.onFree(head);
    else socket.destroy();
    taker.end(last);
  };
  const read = createReader(finish, () => pause(state, clock.nowMs()));
  const act = (work: (call: Call) => void) => {
    state.activeMs = clock.nowMs();
    step(state, work);
  };
  const begin = () => act((call) => write(socket, call));
  socket.on('connect', () => {
    state.isOpen = true;
    begin();
  });
  socket.on('data', (chunk: Buffer) => act((call) => read(call, chunk)));
  socket.on('end', () => act((call) => endByClosing(call, finish)));
  socket.on('error', (error) => cut(state, error));
  socket.on('close', () => {
    state.call?.taker.failed(state.failure ?? new Error('the connection was closed'));
    on.onClosed();
  });
  return {
    send(request, taker) {
      state.call = {
        request,
        taker,
        head: undefined,
        body: undefined,
        held: undefined,
        interim: 0,
        bytes: 0,
        sinceMs: clock.nowMs(),
        waitedMs: 0,
      };
      if (state.isOpen) begin();
    },
    resume: () => act((call) => readOn(state, call, clock.nowMs())),
    checkTime: (nowMs) => checkTime(state, limits, nowMs),
    busySinceMs: () => state.call?.sinceMs,
    isUsable: () => socket.readable && socket.writable,
    destroy: (error) => cut(state, error),
  };
}

function newState(socket: Socket, activeMs: number): State {
  return { socket, call: undefined, isOpen: false, activeMs, pausedMs: activeMs, failure: undefined };
}

function cut(state: State, error: Error): void {
  state.failure ??= error;
  state.socket.destroy();
}

/** Does the next step of the call. Without one, the node has no reason to say anything. */
function step(state: State, work: (call: Call) => void): void {
  try {
    if (state.call) work(state.call);
    else state.socket.destroy();
  } catch (error) {
    cut(state, error instanceof Error ? error : new Error(String(error)));
  }
}

function checkTime(state: State, limits: ConnectionOptions['limits'], nowMs: number): void {
  const { socket, call, isOpen, activeMs } = state;
  const limitMs = isOpen ? limits.idleMs : limits.connectMs;
  if (!call) return;
  // A caller that does not read is not the node's fault, but it keeps a connection from those who do. So does one that reads a little.
  const isUnread = socket.isPaused() && isTakenTooSlowly(state, call, { idleMs: limits.idleMs, nowMs });
  if (!isUnread && nowMs - activeMs < limitMs) return;
  cut(state, socket.isPaused() ? unreadError() : timeoutError(isOpen));
}

function pause(state: State, nowMs: number): void {
  state.pausedMs = nowMs;
  state.socket.pause();
}

function readOn({ socket, pausedMs }: State, call: Call, nowMs: number): void {
  if (socket.isPaused()) call.waitedMs += nowMs - pausedMs;
  socket.resume();
}

/** Whether an answer has waited for its caller longer in all than a slow one needs for as many bytes. */
function isTakenTooSlowly(
  { pausedMs }: State,
  { waitedMs, bytes }: Call,
  { idleMs, nowMs }: { idleMs: number; nowMs: number },
): boolean {
  return waitedMs + nowMs - pausedMs > longestWaits * idleMs + (bytes / slowestBytesPerSecond) * 1000;
}

/** An answer without a length ends where its connection does; every other one is incomplete. */
function endByClosing(call: Call, finish: Finish): void {
  if (!call.body?.endsWithConnection) throw new Error('the node closed the connection');
  finish(call, undefined, false);
}

function write(socket: Socket, { request, taker }: Call): void {
  const head = requestHead(request);
  taker.sent();
  const { body } = request;
  if (!body || body.length <= maxTextBytes) {
    socket.write(body ? head + body.toString('latin1') : head, 'latin1');
    return;
  }
  socket.cork();
  socket.write(head, 'latin1');
  socket.write(body);
  socket.uncork();
}

/** `isWhole`: nothing came after the answer, and its end did not depend on the end of the connection. */
type Finish = (call: Call, last: Buffer | undefined, isWhole: boolean) => void;

/** Reads the bytes that come while a call waits for its answer. */
function createReader(finish: Finish, pause: () => void): (call: Call, chunk: Buffer) => void {
  const parse = createHeadMemory();
  const readBody = (call: Call, body: AnswerBody, { bytes, start }: { bytes: Buffer; start: number }) => {
    const { part, end } = body.read(bytes, start);
    // The last part goes with the end, so that a short answer is one write.
    if (end !== undefined) return finish(call, part, end === bytes.length);
    if (part && !call.taker.data(part)) pause();
  };
  const begin = (call: Call, head: AnswerHead, { bytes, start }: { bytes: Buffer; start: number }) => {
    call.head = head;
    call.taker.head(head.status, head.headers);
    if (isEmpty(call.request.method, head)) return finish(call, undefined, start === bytes.length);
    call.body = createAnswerBody(head.length);
    if (start < bytes.length) readBody(call, call.body, { bytes, start });
  };
  return (call, chunk) => {
    call.bytes += chunk.length;
    if (call.body) return readBody(call, call.body, { bytes: chunk, start: 0 });
    const { head, bytes, start } = readHead(call, chunk, parse);
    if (head) begin(call, head, { bytes, start });
  };
}

interface ReadHead {
  /** Absent until it is complete. */
  head?: AnswerHead;
  bytes: Buffer;
  /** Where the body begins. */
  start: number;
}

/** Heads repeat: of the answers to one method, often only the body differs. */
function createHeadMemory(): (text: string) => AnswerHead {
  let last: { text: string; head: AnswerHead } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, head: parseAnswerHead(text) };
    return last.head;
  };
}

/** The head of the answer, after those of interim answers. */
function readHead(call: Call, chunk: Buffer, parse: (text: string) => AnswerHead): ReadHead {
  const bytes = call.held ? Buffer.concat([call.held, chunk]) : chunk;
  for (let from = 0; ; ) {
    const at = bytes.indexOf(endOfHead, from);
    if ((at === -1 ? bytes.length : at) - from > maxHeadBytes) throw malformed('head of more than 16 KiB');
    call.held = at === -1 ? bytes.subarray(from) : undefined;
    if (at === -1) return { bytes, start: bytes.length };
    const head = parse(bytes.toString('latin1', from, at));
    from = at + endOfHead.length;
    if (head.status >= 200) return { head, bytes, start: from };
    countInterim(call, head);
  }
}

function countInterim(call: Call, { status }: AnswerHead): void {
  if (status === 101) throw malformed('change of protocol');
  call.interim += 1;
  if (call.interim > maxInterimHeads) {
    throw new Error(`the node sent more than ${maxInterimHeads} interim answers`);
  }
}

function isEmpty(method: string, { status, length }: AnswerHead): boolean {
  return length === 0 || method === 'HEAD' || status === 204 || status === 304;
}

const unreadName = 'UnreadAnswerError';

function unreadError(): Error {
  return endedForOthers('the caller took nothing of the answer for too long');
}

/** Why a call ends that is not the fault of its node: others need its connection. */
export function endedForOthers(why: string): Error {
  const error = new Error(why);
  error.name = unreadName;
  return error;
}

/** Whether a call ended so that others can have its connection. */
export function isUnread(error: Error): boolean {
  return error.name === unreadName;
}

function timeoutError(isOpen: boolean): Error {
  const error = new Error(
    isOpen ? 'the node sent nothing for too long' : 'the node did not accept the connection',
  );
  error.name = 'NodeTimeoutError';
  return error;
}
