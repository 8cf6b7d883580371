import type { HeadCall } from '../../core/chains/driver.ts';
import type { EvmRpc } from '../../core/evm/rpc.ts';
import { isAdopted } from '../warm/adopted.ts';
import type { WarmEngines } from '../warm/warmEngines.ts';
import { decide } from './decide/decide.ts';
import type { Decision, NetworkFacts } from './decide/facts.ts';
import type { ReadForkHead } from './forkSource.ts';
import { askBlock, type LastBlocks } from './lastBlocks.ts';

const callMs = 2_000;

interface Engine {
  /** The node behind a service of the network, `rpc` if none is named; undefined while it is not ready. */
  rpcOf(service?: string): EvmRpc | undefined;
  lastBlocks: LastBlocks;
  readForkHead: ReadForkHead;
  /** The id of the process that answers at a URL; undefined if none does. */
  readProcess(url: string): Promise<string | undefined>;
  /** If absent, there are no adopted pods. */
  warm: Pick<WarmEngines, 'launch'> | undefined;
}

/** Decides, and again with the answers of the engine or of the fork source if the decision depends on them. */
export async function decideWithEngine(observed: NetworkFacts, engine: Engine): Promise<Decision> {
  const { lastBlocks } = engine;
  const { facts, first } = await withProcess(await withLaunch(observed, engine), engine);
  if (first.forkHeadCall && facts.forkSource !== undefined) {
    return decide({ ...facts, forkHead: await engine.readForkHead(facts.forkSource, first.forkHeadCall) });
  }
  if (first.readinessCall) {
    const hasAnswered = (await doesAnswer(engine, first)) && (await hasBlocks(engine, first, facts.driver));
    return decide({ ...facts, hasAnswered });
  }
  if (first.adjust) return decide({ ...facts, hasAdjusted: await doesAdjust(engine.rpcOf(), first.adjust) });
  if (!isEndedByDecision(facts, first)) return first;
  const { headCall } = facts.driver;
  return decide({ ...facts, lastBlock: (await lastBlocks.read(facts.network, headCall)) ?? facts.lastBlock });
}

/** An adopted pod becomes the engine first. */
async function withLaunch(facts: NetworkFacts, { warm }: Engine): Promise<NetworkFacts> {
  if (!facts.pods.some(isAdopted)) return facts;
  const { launch } = decide(facts);
  if (!launch) return facts;
  return { ...facts, launched: (await warm?.launch(launch.launches, launch.question)) ?? 'refused' };
}

/** The process that runs the chain is known before anybody uses it. */
async function withProcess(
  facts: NetworkFacts,
  { readProcess }: Engine,
): Promise<{ facts: NetworkFacts; first: Decision }> {
  const first = decide(facts);
  const process = first.processUrl === undefined ? undefined : await readProcess(first.processUrl);
  if (process === undefined) return { facts, first };
  const known = { ...facts, process };
  return { facts: known, first: decide(known) };
}

/** The calls set values, so a repeated one changes nothing. */
async function doesAdjust(rpc: EvmRpc | undefined, calls: NonNullable<Decision['adjust']>): Promise<boolean> {
  if (!rpc) return false;
  try {
    for (const { method, params } of calls) await rpc.call(method, params, { timeoutMs: callMs });
    return true;
  } catch {
    return false;
  }
}

async function doesAnswer({ rpcOf }: Engine, { readinessCall }: Decision): Promise<boolean> {
  const rpc = rpcOf();
  if (!rpc || !readinessCall) return false;
  const { method, params, isAnswer } = readinessCall;
  return rpc.call(method, params, { timeoutMs: callMs }).then(isAnswer, () => false);
}

/**
 * Whether all nodes have the same blocks. A node that lost its data answers long before it has got the chain back from its
 * peers, and as long as one of them lacks it, the loss of another one may end the chain.
 */
async function hasBlocks(
  { rpcOf }: Engine,
  { peers = [] }: Decision,
  { headCall }: { headCall?: HeadCall },
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

/** Whether the engine still runs the chain that the decision ends. A chain that is gone has another enclaveID already. */
function isEndedByDecision({ network }: NetworkFacts, { status, isChainGone }: Decision): boolean {
  if (isChainGone) return false;
  const { enclaveID, previousChain } = network.status ?? {};
  return status.enclaveID === enclaveID && status.previousChain?.enclaveID !== previousChain?.enclaveID;
}
