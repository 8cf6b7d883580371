import { type ChainType, isEvmChain } from '../../core/api/resources/chainSpecs.ts';
import { AppError, isAppError } from '../../core/lib/errors.ts';
import { accountInfoFrom, accountInfoMethod } from './accountInfo.ts';
import type { AnswerCache } from './answers.ts';
import { type Basis, basisOf, blockProvenBy, lifetimeOf } from './methods.ts';
import type { ForkMetrics } from './metrics.ts';
import type { Answer } from './readAnswer.ts';
import type { Source, SourceCall } from './source.ts';

/** A public chain that is forked: its source, and the answers that are already known. */
export interface ForkedChain {
  /** Rejects with MethodNotAllowed for a method that no engine needs, and otherwise like the source. */
  ask(call: SourceCall): Promise<Answer>;
}

interface ForkedChainOptions {
  type: ChainType;
  /** Tells sources apart: answers are kept for one source, and no other one gets them. */
  sourceId: string;
  source: Source;
  /** Shared by all chains. */
  cache: AnswerCache;
  metrics: ForkMetrics;
}

/** A question that is on its way, for the network that was the first to ask. */
interface Pending {
  networkUid: string;
  answer: Promise<Answer>;
}

/** All forks from a source share its answers; the same question is asked once at a time. */
export function createForkedChain(options: ForkedChainOptions): ForkedChain {
  const { type, sourceId, source, cache, metrics } = options;
  const pending = new Map<string, Pending>();
  const learn = createLearn(cache);

  async function lead(key: string, call: SourceCall, basis: Basis): Promise<Answer> {
    const asked = source.ask(call);
    pending.set(key, { networkUid: call.networkUid, answer: asked });
    try {
      const answer = await asked;
      if ('result' in answer) learn({ ...call, key, basis }, answer.result);
      return answer;
    } finally {
      pending.delete(key);
    }
  }

  async function join({ networkUid, answer }: Pending, call: SourceCall): Promise<Answer> {
    const joined = await answer.catch((error: unknown) => {
      // Whoever asked first is over its own limits, which are not those of another network.
      const isOthers = isAppError(error, 'TooManyRequests') && networkUid !== call.networkUid;
      if (!isOthers) throw error;
      return undefined;
    });
    return joined ? charged(call, joined) : chain.ask(call);
  }

  const chain: ForkedChain = {
    async ask(call) {
      if (isEvmChain(type) && call.method === accountInfoMethod) {
        return accountInfoFrom((method) => chain.ask({ ...call, method }));
      }
      const basis = basisOf(type, call.method);
      if (basis === undefined) {
        metrics.called('refused');
        throw new AppError('MethodNotAllowed', `the method ${call.method} is not forwarded to a fork source`);
      }
      const key = `${sourceId} ${keyOf(type, call, basis !== 'now')}`;
      const known = cache.get(key);
      if (known !== undefined) return counted(metrics, 'cached', charged(call, { result: known }));
      const running = pending.get(key);
      return running
        ? counted(metrics, 'joined', join(running, call))
        : counted(metrics, 'asked', lead(key, call, basis));
    },
  };
  return chain;
}

/** An answer that did not come for this call alone occupies memory once more in the message that it is sent in. */
async function charged({ hold }: SourceCall, answer: Answer): Promise<Answer> {
  hold.take(Buffer.byteLength('result' in answer ? answer.result : answer.error));
  return answer;
}

interface AskedCall extends Pick<SourceCall, 'method' | 'params'> {
  key: string;
  basis: Basis;
}

/** Caches an answer for as long as it stays true. */
function createLearn(cache: AnswerCache) {
  let head = 0;
  return ({ key, basis, method, params: paramsText = '[]' }: AskedCall, text: string): void => {
    if (basis === 'now' && method !== 'eth_blockNumber') return;
    const result: unknown = JSON.parse(text);
    const proven = blockProvenBy(method, result);
    if (proven > head) head = proven;
    const params: unknown = JSON.parse(paramsText);
    cache.set(key, text, lifetimeOf({ basis, params, result, head }));
  };
}

async function counted(
  metrics: ForkMetrics,
  outcome: 'cached' | 'joined' | 'asked',
  answer: Promise<Answer>,
): Promise<Answer> {
  try {
    const known = await answer;
    metrics.called(outcome);
    return known;
  } catch (error) {
    metrics.called('failed');
    throw error;
  }
}

/** Addresses and hashes of EVM chains may be written in either case; the names of Solana are sensitive to it. */
function keyOf(type: ChainType, { method, params = '[]' }: SourceCall, isKept: boolean): string {
  const isCaseless = isKept && isEvmChain(type);
  return `${method} ${isCaseless ? params.toLowerCase() : params}`;
}
