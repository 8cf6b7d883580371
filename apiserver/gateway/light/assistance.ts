import type { Clock } from '../../../core/lib/clock.ts';
import { messageOf } from '../../../core/lib/errors.ts';
import { fitsAtOnce, noWork, plus } from '../../http/limits/nodeWork.ts';
import type { NetworkLookup } from '../deps.ts';
import { scrubMessage } from '../jsonrpc/scrub.ts';
import type { OpenNode, OpenNodes } from '../nodes/openNode.ts';
import type { AssistContext, OwnAnswer } from '../policy/policy.ts';
import { type PassedStep, rpcCodes, rpcError, type Screened, type Step } from '../policy/screen.ts';
import { unanswered } from './answers.ts';

/** A message with a call whose answer the gateway works out, and who asks. */
interface Asking extends Omit<AssistContext, 'rpc' | 'clock' | 'hasHistory'> {
  screened: Pick<Screened, 'steps' | 'isBatch'>;
  /** Charges what the answers occupy. Throws Unavailable. */
  take(bytes: number): void;
}

/**
 * The text that a message is answered with, its calls made one after the other: the second may depend on what the first one changes.
 * Undefined if it is to be forwarded as it is: one call, or the network has no node any more.
 */
export type Assistance = (asking: Asking) => Promise<string | undefined>;

interface AssistanceDeps {
  clock: Clock;
  open: OpenNodes;
  networks: Pick<NetworkLookup, 'find'>;
}

/** How long the calls of one message may take together, and one of them. */
const longestMs = 60_000;
/** Bytes of one answer of the node, and of all answers to a message; one more of them may exceed it. */
const maxBytes = 16 * 1024 * 1024;
/** An answer is held as a text, parsed, and as the text that is made of it. */
const copies = 4;

export function createAssistance({ clock, open, networks }: AssistanceDeps): Assistance {
  return async ({ screened: { steps, isBatch }, take, ...asking }) => {
    const { networkUid } = asking;
    const node = open(networkUid, {
      timeoutMs: longestMs,
      maxBytes,
      take: (bytes) => take(bytes * copies),
    });
    if (!node) return undefined;
    const network = networks.find(networkUid);
    const context = { ...asking, rpc: node.rpc, clock, hasHistory: network?.hasHistory === true };
    const text = isBatch ? await answerAll(node, steps, context) : await answerOne(steps, context);
    return network?.isFork !== false && text ? scrubMessage(Buffer.from(text)).toString() : text;
  };
}

async function answerOne([step]: readonly Step[], context: AssistContext): Promise<string | undefined> {
  return step && 'assist' in step ? workOut(step, context) : undefined;
}

async function answerAll(node: OpenNode, steps: readonly Step[], context: AssistContext): Promise<string> {
  const answers = createAnswers(node, { ...context, noteDone: () => undefined });
  for (const step of steps) {
    if ('refusal' in step) await answers.put(step.refusal);
    else if (step.assist) await answers.work(step);
    else await answers.forward(step);
  }
  return `[${(await answers.all()).join(',')}]`;
}

/** The answers to a message as they come. Calls that are only forwarded go to the node together. */
function createAnswers(node: OpenNode, context: AssistContext) {
  const endMs = context.clock.nowMs() + longestMs;
  const texts: string[] = [];
  let length = 0;
  let waiting: PassedStep[] = [];
  let work = noWork;
  const add = (text: string) => {
    texts.push(text);
    length += text.length;
  };
  const isOver = () => context.clock.nowMs() >= endMs || length > maxBytes;
  const forwardWaiting = async () => {
    const steps = waiting;
    waiting = [];
    work = noWork;
    if (steps.length === 0) return;
    const answered = isOver() ? tooMuch(steps) : await forwardAll(node, steps);
    for (const text of answered) add(text);
  };
  const put = async (text: string) => {
    await forwardWaiting();
    add(text);
  };
  const forward = async (step: PassedStep) => {
    if (!fitsAtOnce(plus(work, step.work))) await forwardWaiting();
    waiting.push(step);
    work = plus(work, step.work);
  };
  return {
    put,
    forward,
    async work(step: PassedStep) {
      await forwardWaiting();
      const own = isOver() ? tooMuch([step])[0] : await workOut(step, context);
      if (own === undefined) await forward(step);
      else add(own);
    },
    async all() {
      await forwardWaiting();
      return texts;
    },
  };
}

/** The text of the gateway's own answer to a call; undefined if the call is to be forwarded. */
async function workOut(step: PassedStep, context: AssistContext): Promise<string | undefined> {
  const own = await step.assist?.(context).catch(failed);
  return own && `{"jsonrpc":"2.0","id":${step.id},${JSON.stringify(own).slice(1)}`;
}

/** What the node refuses is its answer. */
const failed = (error: unknown): OwnAnswer => unanswered(error, messageOf(error));

/** The answers of the node in their order, as the items of an array: one text. */
async function forwardAll({ post }: OpenNode, steps: readonly PassedStep[]): Promise<string[]> {
  try {
    const text = (await post(`[${steps.map((step) => step.text).join(',')}]`)).trim();
    const items = text.startsWith('[') ? text.slice(1, -1).trim() : text;
    return items === '' ? [] : [items];
  } catch (error) {
    return errorsOf(steps, rpcCodes.internal, `${messageOf(error)}; the calls may have taken effect`);
  }
}

const tooMuch = (steps: readonly PassedStep[]): string[] =>
  errorsOf(
    steps,
    rpcCodes.limitExceeded,
    'the calls before this one took too long or too much: send fewer in one batch',
  );
const errorsOf = (steps: readonly PassedStep[], code: number, message: string): string[] =>
  steps.filter(({ id }) => id !== undefined).map((step) => errorOf(step, code, message));
const errorOf = ({ id }: PassedStep, code: number, message: string): string => rpcError(id, code, message);
