import type { ReadinessCall } from '../../core/chains/driver.ts';
import type { EvmRpc } from '../../core/evm/rpc.ts';
import { decide } from './decide/decide.ts';
import type { Decision, NetworkFacts } from './decide/facts.ts';
import type { Heads } from './heads.ts';

const callMs = 2_000;

interface Engine {
  rpc: EvmRpc | undefined;
  heads: Heads;
}

/** Decides, and again with the engine's answers if the decision depends on them. */
export async function decideWithEngine(facts: NetworkFacts, { rpc, heads }: Engine): Promise<Decision> {
  const first = decide(facts);
  if (first.readinessCall) {
    return decide({ ...facts, hasAnswered: await doesAnswer(rpc, first.readinessCall) });
  }
  if (first.adjust) {
    for (const { method, params } of first.adjust) await rpc?.call(method, params, { timeoutMs: callMs });
    return decide({ ...facts, hasAdjusted: rpc !== undefined });
  }
  if (!isEndedByDecision(facts, first)) return first;
  return decide({ ...facts, lastBlock: (await heads.read(facts.network, rpc)) ?? facts.lastBlock });
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
