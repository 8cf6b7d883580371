import { Interface } from 'ethers';
import { z } from 'zod';
import { ask } from '../../../core/evm/contractCalls.ts';
import type { EvmRpc } from '../../../core/evm/rpc.ts';
import { committeeKeyHash, wordsOf } from '../../../core/plugins/vrf/group.ts';
import type { Responder } from './responder.ts';

const coordinatorAbi = new Interface([
  'function requests(uint256) view returns (address consumer, uint32, uint32, uint64, uint32, uint256)',
  'function roundOf(uint256) view returns (uint64)',
  'function fulfillRandomWords(uint256, uint256[2]) returns (bool)',
]);

const beaconSchema = z.object({ round: z.number(), signature: z.string() });
const timeoutMs = 3000;

/** Answers requests with rounds that the committee signed. `urls`: the nodes' HTTP, any of which will do. */
export function createCommittee(rpc: EvmRpc, urls: readonly string[]): Responder {
  const get = async (path: string) => {
    const signal = AbortSignal.timeout(timeoutMs);
    return Promise.any(urls.map((url) => getJson(`${url}${path}`, signal)));
  };
  return {
    keyHash: async () => committeeKeyHash,
    async isOpen({ coordinator: to, requestId }) {
      const consumer = await ask(rpc, { to, abi: coordinatorAbi, name: 'requests', args: [requestId] });
      return consumer !== undefined && BigInt(consumer) !== 0n;
    },
    missingBlocks: () => 0,
    async answer({ coordinator: to, requestId }) {
      // Another committee, elected since the request, answers with another round.
      const round = await ask(rpc, { to, abi: coordinatorAbi, name: 'roundOf', args: [requestId] });
      if (round === undefined) return undefined;
      const beacon = beaconSchema.safeParse(await get(`/public/${round}`).catch(() => undefined));
      if (!beacon.success || String(beacon.data.round) !== round) return undefined;
      const args = [requestId, wordsOf(beacon.data.signature)];
      return { to, data: coordinatorAbi.encodeFunctionData('fulfillRandomWords', args) };
    },
  };
}

async function getJson(url: string, signal: AbortSignal): Promise<unknown> {
  const answer = await fetch(url, { signal, redirect: 'error' });
  if (answer.ok) return answer.json();
  // Otherwise the connection stays taken.
  await answer.body?.cancel();
  throw new Error(`${url} answered with HTTP status ${answer.status}`);
}
