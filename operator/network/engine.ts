import type { ReadinessCall } from '../../core/chains/driver.ts';
import type { EvmRpc } from '../../core/evm/rpc.ts';
import { isAdopted } from '../warm/adopted.ts';
import type { WarmEngines } from '../warm/warmEngines.ts';
import { decide } from './decide/decide.ts';
import type { Decision, NetworkFacts } from './decide/facts.ts';
import type { ReadForkHead } from './forkSource.ts';
import type { Heads } from './heads.ts';

const callMs = 2_000;

interface Engine {
  rpc: EvmRpc | undefined;
  heads: Heads;
  readForkHead: ReadForkHead;
  /** If absent, there are no adopted pods. */
  warm: Pick<WarmEngines, 'launch'> | undefined;
}

/** Decides, and again with the answers of the engine or of the fork source if the decision depends on them. */
export async function decideWithEngine(observed: NetworkFacts, engine: Engine): Promise<Decision> {
  const { rpc, heads } = engine;
  const facts = await withLaunch(observed, engine);
  const first = decide(facts);
  if (first.forkHeadCall && facts.forkSource !== undefined) {
    return decide({ ...facts, forkHead: await engine.readForkHead(facts.forkSource, first.forkHeadCall) });
  }
  if (first.readinessCall) {
    return decide({ ...facts, hasAnswered: await doesAnswer(rpc, first.readinessCall) });
  }
  if (first.adjust) return decide({ ...facts, hasAdjusted: await doesAdjust(rpc, first.adjust) });
  if (!isEndedByDecision(facts, first)) return first;
  const { headCall } = facts.driver;
  return decide({ ...facts, lastBlock: (await heads.read(facts.network, headCall)) ?? facts.lastBlock });
}

/** An adopted pod becomes the engine first. */
async function withLaunch(facts: NetworkFacts, { warm }: Engine): Promise<NetworkFacts> {
  if (!facts.pods.some(isAdopted)) return facts;
  const { launch } = decide(facts);
  if (!launch) return facts;
  return { ...facts, launched: (await warm?.launch(launch.launches, launch.question)) ?? 'refused' };
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

async function doesAnswer(rpc: EvmRpc | undefined, call: ReadinessCall): Promise<boolean> {
  if (!rpc) return false;
  const { method, params, isAnswer } = call;
  return rpc.call(method, params, { timeoutMs: callMs }).then(isAnswer, () => false);
}

/** Whether the engine still runs the chain that the decision ends. A chain that is gone has another enclaveID already. */
function isEndedByDecision({ network }: NetworkFacts, { status }: Decision): boolean {
  const { enclaveID, previousChain } = network.status ?? {};
  return status.enclaveID === enclaveID && status.previousChain?.enclaveID !== previousChain?.enclaveID;
}
