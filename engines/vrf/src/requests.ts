import { Interface } from 'ethers';
import { z } from 'zod';
import { quantitySchema } from '../../../core/evm/answers.ts';

/** A request for random words, as a coordinator announced it. Both coordinators have the same event. */
export interface WordsRequest {
  coordinator: string;
  requestId: bigint;
  /** VRF v2.5: the request's part of the seed. A committee's coordinator: the round that answers. */
  preSeed: bigint;
  subId: bigint;
  confirmations: number;
  callbackGasLimit: bigint;
  numWords: bigint;
  extraArgs: string;
  sender: string;
  blockNumber: number;
  blockHash: string;
}

export const requestAbi = new Interface([
  'event RandomWordsRequested(bytes32 indexed keyHash, uint256 requestId, uint256 preSeed, uint256 indexed subId, uint16 minimumRequestConfirmations, uint32 callbackGasLimit, uint32 numWords, bytes extraArgs, address indexed sender)',
]);

const logsSchema = z.array(
  z.object({
    address: z.string(),
    topics: z.array(z.string()),
    data: z.string(),
    blockNumber: quantitySchema.transform(Number),
    blockHash: z.string(),
  }),
);

/** The requests in the answer to eth_getLogs. Throws when it is not one. */
export function requestsIn(logs: unknown): WordsRequest[] {
  return logsSchema.parse(logs).flatMap(({ address, blockNumber, blockHash, topics, data }) => {
    // The event comes from any contract: one that only looks like it is none.
    const event = parse({ topics, data });
    if (!event) return [];
    const { requestId, preSeed, subId, callbackGasLimit, numWords, extraArgs, sender } = event;
    const confirmations = Number(event.minimumRequestConfirmations);
    return [
      {
        coordinator: address,
        blockNumber,
        blockHash,
        requestId,
        preSeed,
        subId,
        confirmations,
        callbackGasLimit,
        numWords,
        extraArgs,
        sender,
      },
    ];
  });
}

function parse(log: { topics: string[]; data: string }) {
  try {
    return requestAbi.parseLog(log)?.args;
  } catch {
    return undefined;
  }
}

/** Ids of different coordinators may be equal. */
export const keyOf = ({ coordinator, requestId }: WordsRequest) => `${coordinator}/${requestId}`;
