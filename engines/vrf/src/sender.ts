import { Wallet } from 'ethers';
import { type ChainState, countNonces, readChainState } from '../../../core/evm/chainState.ts';
import type { EvmRpc } from '../../../core/evm/rpc.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import type { Transaction } from './responder.ts';

export interface Sender {
  address: string;
  /** Whether transactions that were sent earlier are still pending; too long, and they are replaced by the next ones. */
  isBusy(): Promise<boolean>;
  /** Sends a transaction that the chain would execute. Rejects with the chain's reason. */
  send(transaction: Transaction): Promise<void>;
}

interface SenderOptions {
  rpc: EvmRpc;
  key: string;
  chainId: string;
  clock: Clock;
}

const patienceMs = 30_000;
const least = 10n ** 18n;
const refill = `0x${(100n * least).toString(16)}`;

/** Sends from an account that nothing else sends from: its nonces are those of the chain. */
export function createSender({ rpc, key, chainId, clock }: SenderOptions): Sender {
  const wallet = new Wallet(key);
  const { address } = wallet;
  /** When the pending transactions were sent, and how much more than usual the next ones offer. */
  let busySinceMs: number | undefined;
  let factor = 1n;
  let nextNonce = 0;
  return {
    address,
    async isBusy() {
      const mined = await countNonces(rpc, address, 'latest');
      const isPending = (await countNonces(rpc, address, 'pending')) > mined;
      nextNonce = mined;
      if (!isPending) {
        busySinceMs = undefined;
        factor = 1n;
        return false;
      }
      busySinceMs ??= clock.nowMs();
      if (clock.nowMs() - busySinceMs < patienceMs) return true;
      busySinceMs = undefined;
      factor *= 2n;
      return false;
    },
    async send({ to, data }) {
      const state = await readChainState(rpc, { address, chainId });
      if (state.balance < least) await topUp(rpc, address);
      const gas = BigInt(String(await rpc.call('eth_estimateGas', [{ from: address, to, data }, 'latest'])));
      const signed = await wallet.signTransaction({
        to,
        data,
        nonce: nextNonce,
        chainId: BigInt(chainId),
        gasLimit: min((gas * 5n) / 4n, state.maxTransactionGas),
        ...feesOf(state, factor),
      });
      await rpc.call('eth_sendRawTransaction', [signed]);
      nextNonce += 1;
    },
  };
}

const min = (a: bigint, b: bigint) => (a < b ? a : b);

function feesOf({ baseFee, tip, gasPrice }: ChainState, factor: bigint) {
  if (baseFee === undefined) return { type: 0, gasPrice: gasPrice * factor };
  return {
    type: 2,
    maxPriorityFeePerGas: tip * factor,
    maxFeePerGas: (2n * baseFee + tip) * factor,
  };
}

/** Coins cost nothing on a development chain; other nodes do not know the method. */
async function topUp(rpc: EvmRpc, address: string): Promise<void> {
  await rpc.batch([{ method: 'anvil_setBalance', params: [address, refill] }]);
}
