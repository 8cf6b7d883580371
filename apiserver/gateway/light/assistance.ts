import { rpcErrorOf } from '../../../core/evm/rpc.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import type { NetworkLookup } from '../deps.ts';
import { scrubMessage } from '../jsonrpc/scrub.ts';
import type { OwnAnswer } from '../policy/policy.ts';
import type { AssistedCall, OwnAnswers } from '../policy/screen.ts';
import type { NodeCalls } from '../wake/nodeCalls.ts';

/** Works out the answers that the gateway gives itself with the help of a network's node. Never rejects. */
export type Assistance = (networkUid: string, calls: readonly AssistedCall[]) => Promise<OwnAnswers>;

interface AssistanceDeps {
  clock: Clock;
  nodes: Pick<NodeCalls, 'ask'>;
  networks: Pick<NetworkLookup, 'find'>;
}

/** How long the calls of one request may take together. */
const longestMs = 60_000;
/** Characters of the answers to one request; one more answer may exceed it. */
const maxLength = 4 * 1024 * 1024;
const tooLong: OwnAnswer = {
  error: {
    code: -32005,
    message: 'the calls before this one took too long or too much: send fewer in one batch',
  },
};

/** Calls one after the other: the second may depend on what the first one changes. What fails is forwarded. */
export function createAssistance({ clock, nodes, networks }: AssistanceDeps): Assistance {
  return async (uid, calls) => {
    const answers = new Map<string, string>();
    const endMs = clock.nowMs() + longestMs;
    let length = 0;
    for (const { text, assist } of calls) {
      if (clock.nowMs() >= endMs || length > maxLength) {
        answers.set(text, restOf(tooLong, false));
        continue;
      }
      await nodes.ask(uid, 'cannot work out an answer', async (rpc) => {
        const answer = await assist(rpc).catch(failed);
        if (!answer) return;
        const rest = restOf(answer, networks.find(uid)?.isFork !== false);
        length += rest.length;
        answers.set(text, rest);
      });
    }
    return answers;
  };
}

/** What the node refuses is its answer; without an answer, the call is forwarded, and fails as others do. */
function failed(error: unknown): OwnAnswer {
  const refusal = rpcErrorOf(error);
  if (!refusal) throw error;
  return { error: refusal };
}

function restOf(answer: OwnAnswer, isFork: boolean): string {
  const text = JSON.stringify(answer).slice(1, -1);
  return isFork ? scrubMessage(Buffer.from(text)).toString() : text;
}
