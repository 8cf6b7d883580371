import { getAddress } from 'ethers';
import { memberBalance } from '../accounts/hotKeys.ts';
import type { AccessList, Authorization } from '../api/rest/replay.ts';
import type { TransactionItem } from '../api/rest/transaction.ts';
import { type ChainState, countNonces, readChainState } from '../evm/chainState.ts';
import { feesOf, maxPerGas } from '../evm/fees.ts';
import { beyondMaxGas, estimateGas, intrinsicGas, planGas } from '../evm/gas.ts';
import { boundTo, checkInstance, isProcess, type Published } from '../evm/instance.ts';
import type { EvmRpc } from '../evm/rpc.ts';
import { areKnown } from '../evm/transactions.ts';
import { compact } from '../lib/compact.ts';
import { type ErrorDetail, refusalWith } from '../lib/errors.ts';
import { toQuantity } from '../lib/text/quantity.ts';
import type { AccessListEntry, Fees, SignedAuthorization, UnsignedTransaction } from '../signing/signing.ts';
import type { Submission } from './submission.ts';

/** Transactions that are valid as far as can be known before they are sent. */
export interface Prepared extends Pick<Submission, 'transactions' | 'node'> {
  blockGasLimit: bigint;
}

interface Preparation {
  rpc: EvmRpc;
  signer: string;
  /** The chain id in the network's status: nothing is signed for another one. */
  chainId: string;
  /** status.instance of the network: nothing is signed for another process. */
  published: Published | undefined;
  /** What the chain allows one transaction from Osaka on; Ethereum's limit when absent. */
  osakaGasCap?: bigint | undefined;
  /** Resolves when the caller is known to be there. */
  confirmed?: Promise<void> | undefined;
}

const unsent = 'none of the transactions for this network was sent';
/** EIP-3860. */
const maxCreationBytes = 49_152;

/**
 * Checks items against the current chain state and fills in missing gas and fees. Throws BadRequest with each invalid
 * item in `details`, with paths that start with `[<index>]`, or Unavailable when the node cannot be reached or claims another
 * chain id. Nothing is sent, and nothing on the chain changes but what `readState` says.
 */
export async function prepare(
  preparation: Preparation,
  items: readonly TransactionItem[],
): Promise<Prepared> {
  const { rpc, signer, published } = preparation;
  const { state, estimating } = await readState(preparation, items);
  const checked = checkEach(items, state, signer);
  if (checked.details.length > 0) throw refusalWith(unsent, checked.details);
  const plan = planGas(items, { state, estimates: await (estimating ?? estimateGas(rpc, items)) });
  const limits = plan.limits.map((limit) => limit ?? 0n);
  const details = [
    ...plan.details,
    ...(plan.details.length > 0 ? [] : checkFunds(items, { ...checked, limits, state, signer })),
  ];
  if (details.length > 0) throw refusalWith(unsent, details);
  const transactions = items.map((item, index) =>
    unsignedOf(item, {
      chainId: state.chainId,
      gas: limits[index] ?? 0n,
      fees: checked.fees[index] ?? { gasPrice: '0' },
    }),
  );
  const { instance, pendingCount, blockGasLimit } = state;
  const bound = boundTo(rpc, published);
  return {
    transactions,
    blockGasLimit,
    node: {
      instance,
      pendingCount,
      countNonces: () => countNonces(bound, signer, 'pending'),
      areKnown: (hashes) => areKnown(bound, hashes),
    },
  };
}

/** What EIP-7825 allows a transaction. With a limit above it, estimates wait until the limits are checked. */
const usualGas = 2 ** 24;

/**
 * The state of the chain, and estimates on it, unless a limit must be checked before. An account that was never used and has nothing
 * belongs to a member who came after the chain began: a light engine gives it what it would have had from genesis.
 */
async function readState(
  { rpc, signer, published, confirmed, ...chain }: Preparation,
  items: readonly TransactionItem[],
): Promise<{ state: ChainState; estimating?: ReturnType<typeof estimateGas> }> {
  const isUsual = items.every(({ gas_limit: limit = 0 }) => limit <= usualGas);
  const estimating = isUsual ? estimateGas(rpc, items) : undefined;
  // Without the state of the chain, estimates say nothing.
  estimating?.catch(() => undefined);
  const state = await readChainState(rpc, { address: signer, ...chain });
  checkInstance(state.instance, published);
  if (!isUnused(state) || !isProcess(state.instance)) return { state, ...compact({ estimating }) };
  // Nothing is written for somebody who may turn out to be nobody. Meanwhile another request may have brought the funds.
  await confirmed;
  const now = await readChainState(rpc, { address: signer, ...chain });
  if (!isUnused(now)) return { state: now };
  await boundTo(rpc, published).call('anvil_addBalance', [signer, toQuantity(memberBalance)]);
  return { state: { ...now, balance: memberBalance } };
}

const isUnused = ({ balance, pendingCount }: ChainState) => balance === 0n && pendingCount === 0;

interface Checked {
  fees: (Fees | undefined)[];
  details: ErrorDetail[];
}

function checkEach(items: readonly TransactionItem[], state: ChainState, signer: string): Checked {
  const fees: (Fees | undefined)[] = [];
  const details = items.flatMap((item, index) => {
    const found = checkItem(item, state, signer);
    const fee = feesOf(item, state);
    fees.push('fees' in fee ? fee.fees : undefined);
    if ('details' in fee) found.push(...fee.details);
    return found.map(({ path, message }) => ({ path: `[${index}].${path}`, message }));
  });
  return { fees, details };
}

function checkItem(item: TransactionItem, state: ChainState, signer: string): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  if (item.from.toLowerCase() !== signer.toLowerCase()) {
    details.push({ path: 'from', message: `is not the address of your default key, ${getAddress(signer)}` });
  }
  const bytes = item.data.length / 2 - 1;
  if (item.to === undefined && state.limitsCreationCode && bytes > maxCreationBytes) {
    const message = `is creation code of ${bytes} bytes; the maximum is ${maxCreationBytes} (EIP-3860)`;
    details.push({ path: 'data', message });
  }
  if (item.gas_limit === undefined) return details;
  const gas = BigInt(item.gas_limit);
  const least = intrinsicGas(item, state);
  if (gas < least)
    details.push({ path: 'gas_limit', message: `is too low: this transaction needs at least ${least}` });
  if (gas > state.maxTransactionGas) details.push({ path: 'gas_limit', message: beyondMaxGas(state) });
  return details;
}

interface Costs extends Checked {
  limits: bigint[];
  state: ChainState;
  signer: string;
}

/** The first item that the account cannot pay for, assuming that each item before it costs its maximum. */
function checkFunds(
  items: readonly TransactionItem[],
  { fees, limits, state, signer }: Costs,
): ErrorDetail[] {
  let total = 0n;
  for (const [index, item] of items.entries()) {
    const gas = limits[index] ?? 0n;
    const usual = total + BigInt(item.value) + gas * state.gasPrice;
    total += BigInt(item.value) + gas * maxPerGas(fees[index]);
    if (total <= state.balance) continue;
    const fee = usual <= state.balance ? feeMembers.find((member) => item[member] !== undefined) : undefined;
    const message =
      `${getAddress(signer)} holds ${state.balance} wei on this network, but the items up to this one may need ${total} wei: ` +
      `${fee ? 'lower it, or ' : ''}send it funds, for example from the key of privateKeyRef, which is funded at genesis`;
    return [{ path: `[${index}].${fee ?? 'value'}`, message }];
  }
  return [];
}

/** What a caller may set too high: the first one bounds what is paid. */
const feeMembers = ['max_fee_per_gas', 'max_priority_fee_per_gas'] as const;

interface Filling {
  chainId: string;
  gas: bigint;
  fees: Fees;
}

function unsignedOf(
  { to, value, data, type, access_list: list, authorizations }: TransactionItem,
  { chainId, gas, fees }: Filling,
): UnsignedTransaction {
  return {
    chainId,
    ...compact({ to }),
    value: BigInt(value).toString(),
    data,
    gasLimit: gas.toString(),
    fees,
    ...compact({
      accessList: (list ?? (type === 1 ? [] : undefined))?.map(toAccess),
      authorizations: authorizations?.map(toSigned),
    }),
  };
}

const toAccess = ({ address, storage_keys: storageKeys }: AccessList[number]): AccessListEntry => ({
  address,
  storageKeys,
});

const toSigned = ({ chain_id: chainId, y_parity: yParity, ...rest }: Authorization): SignedAuthorization => {
  const { address, nonce, r, s } = rest;
  return { chainId, address, nonce, yParity, r, s };
};
