import { Transaction } from 'ethers';
import type { SubmittedItem, TransactionItem } from '../../../core/api/rest/transaction.ts';
import { broadcast } from '../../../core/evm/broadcast.ts';
import { type ChainState, readChainState } from '../../../core/evm/chainState.ts';
import { feesOf, type feesOfSigned, maxPerGas } from '../../../core/evm/fees.ts';
import { estimateGas, planGas } from '../../../core/evm/gas.ts';
import type { EvmRpc } from '../../../core/evm/rpc.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import { AppError } from '../../../core/lib/errors.ts';
import { createExclusive } from '../../../core/lib/work/exclusive.ts';
import type { Keys } from './keys.ts';
import { newRecordId, type SendRecord, type WalletRecord } from './records.ts';
import type { Store } from './store.ts';

/** What a wallet is to send. */
interface SendRequest {
  kind: 'transfer' | 'transaction';
  wallet: WalletRecord;
  /** As it was requested. */
  body: { externalId?: string | undefined };
  item: SubmittedItem;
  /** Absent: the next one. */
  nonce?: number;
  metadata?: object;
}

export interface SenderDeps {
  store: Store;
  keys: Keys;
  rpc: EvmRpc;
  chainId: string;
  user: string;
  clock: Clock;
}

export interface Sender {
  /**
   * Signs and stores a transaction, then sends it. A transaction that the chain would refuse becomes a failed record with the
   * reason. Throws Unavailable, and has done nothing, when the node does not answer before the signature.
   */
  send(request: SendRequest): Promise<SendRecord>;
}

const maxOpenPerKey = 1000;

type Refused = { reason: string };
type Drafted = { raw: string; hash: string; nonce: number } | Refused;
type Sendable = { gasLimit: bigint; fees: ReturnType<typeof feesOfSigned> } | Refused;

/** Sends the transactions of wallets, one key at a time, so that their nonces follow each other. */
export function createSender(deps: SenderDeps, onOpen: () => void): Sender {
  const exclusive = createExclusive();
  return {
    send: ({ wallet, kind, body, ...rest }) =>
      exclusive(wallet.signingKey.id, async () => {
        const repeated = deps.store.repeated(kind, wallet.id, body);
        if (repeated) return repeated;
        const request = { ...rest, wallet, kind, body };
        const draft = await draftOf(deps, request);
        const record = recordOf(deps, request, draft);
        if ('reason' in draft) return failed(deps, request, record);
        await sendDraft(deps, { request, record, draft });
        onOpen();
        return deps.store.find(kind, record.id) ?? record;
      }),
  };
}

async function draftOf(deps: SenderDeps, { wallet, item, nonce }: SendRequest): Promise<Drafted> {
  const { store, keys, rpc, chainId } = deps;
  const keyId = wallet.signingKey.id;
  const open = store.openOf(keyId);
  if (open.count >= maxOpenPerKey) {
    const text = `the wallet has ${maxOpenPerKey} transactions that are not mined: wait for them`;
    throw new AppError('TooManyRequests', text);
  }
  const state = await readChainState(rpc, { address: wallet.address, chainId });
  const sendable = await sendableOf(rpc, { ...item, from: wallet.address }, state);
  if ('reason' in sendable) return sendable;
  const next = nonce ?? Math.max(state.pendingCount, open.nextNonce);
  const transaction = Transaction.from({
    chainId: BigInt(chainId),
    nonce: next,
    gasLimit: sendable.gasLimit,
    to: item.to ?? null,
    value: BigInt(item.value),
    data: item.data,
    ...sendable.fees,
    type: 'gasPrice' in sendable.fees ? 0 : 2,
  });
  transaction.signature = keys.sign(keyId, transaction.unsignedHash).encoded;
  return { raw: transaction.serialized, hash: String(transaction.hash), nonce: next };
}

async function sendableOf(rpc: EvmRpc, item: TransactionItem, state: ChainState): Promise<Sendable> {
  const priced = feesOf(item, state);
  const estimates = await estimateGas(rpc, [item]);
  const { limits, details } = planGas([item], { state, estimates });
  const problems = [...details, ...('details' in priced ? priced.details : [])];
  const [gasLimit] = limits;
  if (gasLimit === undefined || 'details' in priced) {
    return { reason: problems.map(({ message }) => message).join('; ') };
  }
  const needed = BigInt(item.value) + gasLimit * maxPerGas(priced.fees);
  if (needed > state.balance) {
    return { reason: `insufficient funds: needs ${needed} wei with fees, has ${state.balance}` };
  }
  return { gasLimit, fees: priced.fees };
}

function recordOf(
  { user, clock }: SenderDeps,
  { wallet, kind, body, metadata }: SendRequest,
  draft: Drafted,
): SendRecord {
  return {
    id: newRecordId(kind),
    walletId: wallet.id,
    network: wallet.network,
    requester: { userId: user },
    requestBody: body,
    status: 'Pending',
    dateRequested: new Date(clock.nowMs()).toISOString(),
    ...('hash' in draft ? { txHash: draft.hash } : { reason: draft.reason }),
    ...(metadata ? { metadata } : {}),
    ...(body.externalId === undefined ? {} : { externalId: body.externalId }),
  };
}

function failed({ store }: SenderDeps, { kind, wallet, body }: SendRequest, pending: SendRecord): SendRecord {
  const record: SendRecord = { ...pending, status: 'Failed' };
  store.atomically(() => store.add(kind, { owner: wallet.id, record, body }));
  return record;
}

interface Draft {
  request: SendRequest;
  record: SendRecord;
  draft: Exclude<Drafted, { reason: string }>;
}

/** The signed bytes are stored before they are sent: whatever happens then, they are sent again, and no others. */
async function sendDraft(
  { store, rpc, clock }: SenderDeps,
  { request, record, draft }: Draft,
): Promise<void> {
  const { kind, wallet, body } = request;
  const { id } = record;
  store.atomically(() => {
    store.add(kind, { owner: wallet.id, record, body });
    store.addSend({ ...draft, id, kind, keyId: wallet.signingKey.id });
  });
  const [sent] = await broadcast(rpc, [draft.raw]);
  // It may have been settled while the node's answer was awaited.
  if (store.find(kind, id)?.status !== 'Pending') return;
  if (sent?.kind === 'sent') {
    const dateBroadcasted = new Date(clock.nowMs()).toISOString();
    store.update({ ...record, status: 'Broadcasted', dateBroadcasted });
  }
  if (sent?.kind === 'refused') {
    const { reason } = sent;
    store.atomically(() => {
      store.update({ ...record, status: 'Failed', reason });
      store.removeSend(id);
    });
  }
}
