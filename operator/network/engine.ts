import type { HeadCall, ReadinessCall } from '../../core/chains/driver.ts';
import type { EvmRpc } from '../../core/evm/rpc.ts';
import type { WarmEngines } from '../warm/warmEngines.ts';
import { decide } from './decide/decide.ts';
import type { Decision, NetworkFacts } from './decide/facts.ts';
import type { Answers, QuestionName, Questions } from './decide/questions.ts';
import type { ReadForkHead } from './forkSource.ts';
import { askBlock, type LastBlocks } from './lastBlocks.ts';

const callMs = 2_000;

interface Engine {
  /** The node behind a service of the network, `rpc` if none is named; undefined while it is not ready. */
  rpcOf(service?: string): EvmRpc | undefined;
  lastBlocks: Pick<LastBlocks, 'read'>;
  readForkHead: ReadForkHead;
  /** The id of the process that answers at a URL; undefined if none does. */
  readProcess(url: string): Promise<string | undefined>;
  /** If absent, there are no adopted pods. */
  warm: Pick<WarmEngines, 'launch'> | undefined;
}

type Respondents = {
  [Name in QuestionName]: (
    question: Questions[Name],
    engine: Engine,
    facts: NetworkFacts,
  ) => Promise<Answers[Name]>;
};

const respondents: Respondents = {
  launch: async ({ launches, question }, { warm }) => (await warm?.launch(launches, question)) ?? 'refused',
  process: (url, { readProcess }) => readProcess(url),
  forkHead: ({ source, call }, { readForkHead }) => readForkHead(source, call),
  readiness: async ({ call, peers }, { rpcOf }, { driver }) =>
    (await doesAnswer(rpcOf(), call)) && (await hasBlocks(rpcOf, peers, driver.headCall)),
  adjust: (calls, { rpcOf }) => doesAdjust(rpcOf(), calls),
  lastBlock: (call, { lastBlocks }, { network }) => lastBlocks.read(network, call),
};

/** An adopted pod becomes the engine first, and the process that runs the chain is known before anybody uses it. */
const order: readonly QuestionName[] = ['launch', 'process', 'forkHead', 'readiness', 'adjust', 'lastBlock'];

/** Decides, and again with each answer that the decision depends on. No question is asked twice. */
export async function decideWithEngine(observed: NetworkFacts, engine: Engine): Promise<Decision> {
  const open = new Set(order);
  for (let facts = observed; ; ) {
    const decision = decide(facts);
    const { asks = {} } = decision;
    const [next] = [...open].filter((name) => asks[name] !== undefined);
    if (next === undefined) return decision;
    open.delete(next);
    facts = { ...facts, answers: await answered(next, asks, { engine, facts }) };
  }
}

async function answered<Name extends QuestionName>(
  name: Name,
  { [name]: question }: Partial<Questions>,
  { engine, facts }: { engine: Engine; facts: NetworkFacts },
): Promise<Answers> {
  const answers: Answers = { ...facts.answers };
  if (question !== undefined) answers[name] = await respondents[name](question, engine, facts);
  return answers;
}

/** The calls set values, so a repeated one changes nothing. */
async function doesAdjust(rpc: EvmRpc | undefined, calls: Questions['adjust']): Promise<boolean> {
  if (!rpc) return false;
  try {
    for (const { method, params } of calls) await rpc.call(method, params, { timeoutMs: callMs });
    return true;
  } catch {
    return false;
  }
}

async function doesAnswer(
  rpc: EvmRpc | undefined,
  { method, params, isAnswer }: ReadinessCall,
): Promise<boolean> {
  return rpc ? rpc.call(method, params, { timeoutMs: callMs }).then(isAnswer, () => false) : false;
}

/**
 * Whether all nodes have the same blocks. A node that lost its data answers long before it has got the chain back from its
 * peers, and as long as one of them lacks it, the loss of another one may end the chain.
 */
async function hasBlocks(
  rpcOf: Engine['rpcOf'],
  peers: readonly string[],
  headCall: HeadCall | undefined,
): Promise<boolean> {
  if (peers.length === 0 || !headCall) return true;
  const headOf = async (rpc: EvmRpc | undefined) => rpc && askBlock(rpc, headCall);
  // Its own before and after theirs, so that a block that comes meanwhile is not one that somebody lacks.
  const before = await headOf(rpcOf());
  const heads = await Promise.all(peers.map((peer) => headOf(rpcOf(peer))));
  const after = await headOf(rpcOf());
  if (before === undefined || after === undefined) return false;
  return heads.every((head) => head !== undefined && before <= head && head <= after);
}
