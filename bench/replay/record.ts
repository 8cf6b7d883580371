import { Interface } from 'ethers';
import type { SendResult } from '../../core/evm/broadcast.ts';
import { readChainState } from '../../core/evm/chainState.ts';
import { createAddressOf } from '../../core/evm/createdContracts.ts';
import { maxPerGas } from '../../core/evm/fees.ts';
import { awaitReceipts, readReceipts } from '../../core/evm/receipts.ts';
import { createEvmRpc, type EvmRpc } from '../../core/evm/rpc.ts';
import { artifact, creationOf } from '../../core/evm/testing/contracts.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { createSendThrottle } from '../../core/outbox/throttle.ts';
import type { Signer } from '../../core/signing/signer.ts';
import type { NumberedTransaction } from '../../core/signing/signing.ts';

const stranger = `0x${'7e'.repeat(20)}`;
const batchSize = 250;
const common = { fees: { maxFeePerGas: '100000000000', maxPriorityFeePerGas: '1000000000' }, value: '0' };

export interface Sender {
  url: string;
  chainId: string;
  address: string;
  key: Uint8Array;
  signer: Signer;
}

/** The creation of a token, followed by `count - 1` alternating transfers of the token and of ether. */
export async function writeTransactions(sender: Sender, count: number): Promise<NumberedTransaction[]> {
  const { address, chainId } = sender;
  const first = await nonceOf(createEvmRpc({ url: sender.url }), address);
  const token = createAddressOf(address, first);
  const data = new Interface(artifact('Token').abi).encodeFunctionData('transfer', [stranger, 1n]);
  const creation = await creationOf('Token', ['T', 'T', 10n ** 18n, address]);
  return Array.from({ length: count }, (_, index) => {
    const own = { ...common, chainId, nonce: first + index };
    if (index === 0) return { ...own, data: creation, gasLimit: '2000000' };
    if (index % 2 === 0) return { ...own, to: stranger, value: '1', data: '0x', gasLimit: '21000' };
    return { ...own, to: token, data, gasLimit: '60000' };
  });
}

/**
 * Signs and sends in batches, as fast as the node mines them, and waits for every receipt. Sending everything at once
 * takes as long, and occasionally some transactions are never mined.
 */
export async function sendRaw(
  { url, key, signer, address }: Sender,
  transactions: readonly NumberedTransaction[],
): Promise<void> {
  const rpc = createEvmRpc({ url });
  const chainId = transactions[0]?.chainId ?? '0';
  const { blockGasLimit, instance } = await readChainState(rpc, { address, chainId });
  const throttle = createSendThrottle(systemClock);
  const hashes: string[] = [];
  const sending: Promise<SendResult[]>[] = [];
  for (let at = 0; at < transactions.length; at += batchSize) {
    const batch = transactions.slice(at, at + batchSize);
    const signed = await signer.sign(key, batch);
    hashes.push(...signed.map(({ hash }) => hash));
    const paced = signed.map((one, index) => ({
      ...one,
      gasLimit: BigInt(batch[index]?.gasLimit ?? 0),
      maxFee: maxPerGas(batch[index]?.fees),
    }));
    sending.push(
      throttle({
        workspace: 'bench',
        chain: url,
        rpc,
        signer: address,
        instance,
        blockGasLimit,
        transactions: paced,
        isCurrent: () => true,
        mayBegin: () => true,
      }),
    );
  }
  const failed = (await Promise.all(sending)).flat().find(({ kind }) => kind !== 'sent');
  if (failed) throw new Error(JSON.stringify(failed));
  // The last transaction is mined last. Waiting for it first keeps polling from loading the node.
  await awaitReceipts(rpc, hashes.slice(-1), { timeoutMs: 300_000, pollMs: 20 });
  const receipts = await readReceipts(rpc, hashes);
  const failedIndex = receipts.findIndex((receipt) => !receipt?.isSuccess);
  if (failedIndex !== -1)
    throw new Error(
      `transaction ${failedIndex} failed or was not mined: ${JSON.stringify(receipts[failedIndex]?.hash)}`,
    );
}

async function nonceOf(rpc: EvmRpc, address: string): Promise<number> {
  return Number(await rpc.call('eth_getTransactionCount', [address, 'latest']));
}
