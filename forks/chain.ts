import { type ChainType, isEvmChain } from '../core/api/resources/chainSpecs.ts';
import { AppError, isAppError } from '../core/lib/errors.ts';
import { accountInfoFrom, accountInfoMethod } from './accountInfo.ts';
import type { AnswerCache } from './answers.ts';
import { type Basis, basisOf, lifetimeOf, provesBlock } from './methods.ts';
import type { ForkMetrics } from './metrics.ts';
import { createQuestions, type Pending } from './questions.ts';
import type { Answer, Result } from './readAnswer.ts';
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

/** All forks from a source share its answers; the same question is asked once at a time. */
export function createForkedChain(options: ForkedChainOptions): ForkedChain {
  const { type, sourceId, source, cache, metrics } = options;
  const questions = createQuestions();
  const learn = createLearn(cache);

  function lead(key: string, call: SourceCall, basis: Basis): Promise<Answer> {
    return questions.ask(key, call.networkUid, async (begin) => {
      let origin: AnswerOrigin = 'asked';
      const instead = () => {
        const known = knownAnswer(cache, key, call);
        if (known) {
          origin = 'cached';
          return known;
        }
        const other = begin();
        if (!other) return undefined;
        origin = 'joined';
        return join(chain, other, call);
      };
      const answer = await counted(metrics, () => origin, source.ask(call, instead));
      if (origin === 'asked' && 'result' in answer) learn({ ...call, key, basis }, answer);
      return answer;
    });
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
      const known = knownAnswer(cache, key, call);
      if (known) return counted(metrics, () => 'cached', known);
      const running = questions.find(key, call.networkUid);
      return running ? counted(metrics, () => 'joined', join(chain, running, call)) : lead(key, call, basis);
    },
  };
  return chain;
}

function knownAnswer(cache: AnswerCache, key: string, call: SourceCall): Promise<Answer> | undefined {
  const result = cache.get(key);
  return result === undefined ? undefined : charged(call, { result });
}

async function join(chain: ForkedChain, { networkUid, answer }: Pending, call: SourceCall): Promise<Answer> {
  const joined = await answer.catch((error: unknown) => {
    // Whoever asked first is over its own limits, which are not those of another network.
    const isOthers = isAppError(error, 'TooManyRequests') && networkUid !== call.networkUid;
    if (!isOthers) throw error;
    return undefined;
  });
  return joined ? charged(call, joined) : chain.ask(call);
}

/** An answer that did not come for this call alone occupies memory once more in the message that it is sent in. */
async function charged({ hold }: SourceCall, answer: Answer): Promise<Answer> {
  hold.take(Buffer.byteLength('result' in answer ? answer.result : answer.error));
  return answer;
}

interface AskedCall extends Pick<SourceCall, 'method' | 'params' | 'share'> {
  key: string;
  basis: Basis;
}

/** Caches an answer for as long as it stays true. */
function createLearn(cache: AnswerCache) {
  let head = 0;
  return ({ key, basis, method, params: paramsText = '[]', share }: AskedCall, answer: Result): void => {
    if (basis === 'now' && method !== 'eth_blockNumber') return;
    if (provesBlock(method) && answer.block !== undefined) head = Math.max(head, answer.block);
    const params: unknown = JSON.parse(paramsText);
    const lifetimeMs = lifetimeOf({ ...answer, basis, params, head });
    cache.set(key, { text: answer.result, lifetimeMs, share });
  };
}

type AnswerOrigin = 'cached' | 'joined' | 'asked';

async function counted(
  metrics: ForkMetrics,
  originOf: () => AnswerOrigin,
  answer: Promise<Answer>,
): Promise<Answer> {
  try {
    const known = await answer;
    metrics.called(originOf());
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
