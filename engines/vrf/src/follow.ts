import { z } from 'zod';
import { quantitySchema, read } from '../../../core/evm/answers.ts';
import { copiedUntilCall, copiedUntilIn } from '../../../core/evm/emptyBlocks.ts';
import type { EvmRpc } from '../../../core/evm/rpc.ts';
import { toQuantity } from '../../../core/lib/text/quantity.ts';
import { requestAbi, requestsIn, type WordsRequest } from './requests.ts';

const headSchema = z.object({ number: quantitySchema.transform(Number), hash: z.string() });
type Head = z.infer<typeof headSchema>;

/** Blocks whose logs are asked for at a time. */
const maxBlocks = 2000;

export interface Follower {
  /**
   * The chain's last block, and the requests since the last call. `isOther`: earlier blocks are no longer in the chain, and
   * the requests are all that it has.
   */
  next(): Promise<{ head: number; requests: WordsRequest[]; isOther: boolean }>;
}

/** Follows the requests of one key through the chain, from its first own block on. Nothing is stored: a restart starts over. */
export function createFollower(rpc: EvmRpc, keyHash: string): Follower {
  let last: Head | undefined;
  const blockAt = async (block: string) => {
    const [outcome] = await rpc.batch([{ method: 'eth_getBlockByNumber', params: [block, false] }]);
    return read(headSchema.nullable(), outcome) ?? undefined;
  };
  const logsOf = async (first: number, until: number) => {
    const topics = [requestAbi.getEvent('RandomWordsRequested')?.topicHash, keyHash];
    const requests: WordsRequest[] = [];
    for (let from = first; from <= until; from += maxBlocks) {
      requests.push(
        ...requestsIn(
          await rpc.call('eth_getLogs', [
            {
              fromBlock: toQuantity(from),
              toBlock: toQuantity(Math.min(until, from + maxBlocks - 1)),
              topics,
            },
          ]),
        ),
      );
    }
    return requests;
  };
  return {
    async next() {
      const head = await blockAt('latest');
      if (!head) throw new Error('the chain has no block');
      if (head.hash === last?.hash) return { head: head.number, requests: [], isOther: false };
      const isSame = last !== undefined && (await blockAt(toQuantity(last.number)))?.hash === last.hash;
      const first = isSame && last ? last.number + 1 : await firstBlock(rpc);
      const requests = await logsOf(first, head.number);
      last = head;
      return { head: head.number, requests, isOther: !isSame };
    },
  };
}

/** A fork's earlier blocks are those of another chain. */
async function firstBlock(rpc: EvmRpc): Promise<number> {
  const [outcome] = await rpc.batch([copiedUntilCall]);
  return copiedUntilIn(outcome);
}
