import { AbiCoder, Interface, keccak256, ZeroAddress } from 'ethers';
import { ask } from '../../../core/evm/contractCalls.ts';
import type { EvmRpc } from '../../../core/evm/rpc.ts';
import { keyHashOf, prove, publicKeyOf } from '../../../core/plugins/vrf/proof.ts';
import type { WordsRequest } from './requests.ts';
import type { Responder } from './responder.ts';

const proof =
  'tuple(uint256[2] pk, uint256[2] gamma, uint256 c, uint256 s, uint256 seed, address uWitness, uint256[2] cGammaWitness, uint256[2] sHashWitness, uint256 zInv)';
const commitment =
  'tuple(uint64 blockNum, uint256 subId, uint32 callbackGasLimit, uint32 numWords, address sender, bytes extraArgs)';
const coordinatorAbi = new Interface([
  'function s_requestCommitments(uint256) view returns (bytes32)',
  'function BLOCKHASH_STORE() view returns (address)',
  `function fulfillRandomWords(${proof}, ${commitment}, bool) returns (uint96)`,
]);
const storeAbi = new Interface([
  'function store(uint256)',
  'function getBlockhash(uint256) view returns (bytes32)',
]);

/** Contracts read the hashes of the last 256 blocks: an older request needs its hash in the store before that. */
const storedFrom = 100;
const storedUntil = 250;

/** Answers requests of VRF v2.5 with proofs. */
export function createProver(rpc: EvmRpc, secretKey: bigint): Responder {
  const keyHash = keyHashOf(publicKeyOf(secretKey));
  return {
    keyHash: async () => keyHash,
    async isOpen(request) {
      const { coordinator: to, requestId } = request;
      const found = await ask(rpc, {
        to,
        abi: coordinatorAbi,
        name: 's_requestCommitments',
        args: [requestId],
      });
      return found === commitmentOf(request);
    },
    missingBlocks: ({ confirmations, blockNumber }, head) =>
      Math.max(0, confirmations - (head - blockNumber + 1)),
    async answer(request) {
      const { coordinator, preSeed, blockHash, blockNumber } = request;
      const { pk, gamma, c, s, seed, ...witnesses } = prove(secretKey, { preSeed, blockHash });
      const { uWitness, cGammaWitness, sHashWitness, zInv } = witnesses;
      const { subId, callbackGasLimit, numWords, sender, extraArgs } = request;
      const args = [
        [pk, gamma, c, s, seed, uWitness, cGammaWitness, sHashWitness, zInv],
        [blockNumber, subId, callbackGasLimit, numWords, sender, extraArgs],
        false,
      ];
      return { to: coordinator, data: coordinatorAbi.encodeFunctionData('fulfillRandomWords', args) };
    },
    async preserve({ coordinator, blockNumber }, head) {
      const age = head - blockNumber;
      if (age < storedFrom || age > storedUntil) return undefined;
      const to = await ask(rpc, { to: coordinator, abi: coordinatorAbi, name: 'BLOCKHASH_STORE' });
      if (to === undefined || to === ZeroAddress) return undefined;
      const stored = await ask(rpc, { to, abi: storeAbi, name: 'getBlockhash', args: [blockNumber] });
      return stored === undefined
        ? { to, data: storeAbi.encodeFunctionData('store', [blockNumber]) }
        : undefined;
    },
  };
}

/** What the coordinator keeps of a request: an event that another contract made up does not match it. */
function commitmentOf(request: WordsRequest): string {
  const { requestId, blockNumber, subId, callbackGasLimit, numWords, sender, extraArgs } = request;
  const types = ['uint256', 'uint256', 'uint256', 'uint32', 'uint32', 'address', 'bytes'];
  const values = [requestId, blockNumber, subId, callbackGasLimit, numWords, sender, extraArgs];
  return keccak256(AbiCoder.defaultAbiCoder().encode(types, values));
}
