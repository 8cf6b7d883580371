import { findById, idOf } from '../../core/api/ids.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { OutboxResource } from '../../core/api/resources/outbox.ts';
import type { TransactionItem } from '../../core/api/rest/transaction.ts';
import { osakaGasCapOf } from '../../core/chains/evm/evmChains.ts';
import type { SentTransaction, TokenChain } from '../../core/deploy/ports.ts';
import type { Signer } from '../../core/deploy/step.ts';
import { countNonces } from '../../core/evm/chainState.ts';
import type { EvmRpc } from '../../core/evm/rpc.ts';
import { areKnown } from '../../core/evm/transactions.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';
import type { Kube, Stored } from '../../core/kube/kube.ts';
import { compact } from '../../core/lib/compact.ts';
import { AppError, isAppError } from '../../core/lib/errors.ts';
import { createExclusive } from '../../core/lib/work/exclusive.ts';
import { isPresent, isSameIncarnation } from '../../core/networks/incarnation.ts';
import { findSubmitted, findSubmittedIn, type Submitted } from '../../core/outbox/findSubmitted.ts';
import type { Send } from '../../core/outbox/send.ts';
import { queuesOf } from '../outbox/controller.ts';
import type { KeyHolder } from './signers.ts';
import { whyDropped } from './whyDropped.ts';

export interface ChainsDeps {
  kube: Pick<Kube, 'get' | 'list'>;
  networks: Pick<Reflector<NetworkResource>, 'byIndex'>;
  /** Sender queues, by `network`. */
  outboxes: Pick<Reflector<OutboxResource>, 'byIndex'>;
  /** The node of a network, by its uid; undefined while no node is ready. */
  rpcOf(networkUid: string): EvmRpc | undefined;
  send: Send;
}

/** Who asks for a chain. */
interface ChainAccess {
  /** Of the network. */
  namespace: string;
  /** status.enclaveID of the network: no other chain is read from or sent to. */
  enclaveID: string;
  /** Whether its data is older than this incarnation: then an idempotency key may have been used in an earlier one. */
  isOlder?: boolean;
  signers: Partial<Record<Signer, KeyHolder>>;
  signal?: AbortSignal;
}

/** The chain of a network's id. Throws Unavailable while it cannot be used, and when the network started another one. */
export type ChainOf = (networkId: string, access: ChainAccess) => TokenChain;

export function createChains(deps: ChainsDeps): ChainOf {
  const exclusive = createExclusive();
  return (id, access) => {
    const find = () => present(deps, id, access);
    find();
    return {
      call(method, params) {
        const { network, rpc } = find();
        return named(network, rpc.call(method, params, compact({ signal: access.signal })));
      },
      send(idempotencyKey, transaction, signer) {
        const sending = { transaction, signer, idempotencyKey };
        const work = () => sendOnce(deps, { ...find(), access }, sending);
        return transaction.funds === undefined
          ? work()
          : exclusive(`${access.namespace}/${id}/${transaction.funds}`, work);
      },
      whyDropped: (idempotencyKey, hash) =>
        whyDropped(deps.kube, placeOf(find().network), { idempotencyKey, hash }),
    };
  };
}

function present({ networks, rpcOf }: ChainsDeps, id: string, { namespace, enclaveID }: ChainAccess) {
  const network = findById(networks, namespace, id);
  if (!isPresent(network)) throw away('the network', 'it was deleted');
  const name = `network "${network.metadata.name}"`;
  const { state = 'Pending' } = network.status ?? {};
  if (state !== 'Operational') throw away(name, `it is ${state}`);
  if (!isSameIncarnation(network, enclaveID)) throw away(name, 'it began a new chain');
  const rpc = rpcOf(network.metadata.uid);
  if (!rpc) throw away(name, 'its node is not ready');
  const { chainID: chainId, instance: published } = network.status ?? {};
  if (chainId === undefined) throw away(name, 'its chain id is not known yet');
  const isCurrent = () => isSameIncarnation(findById(networks, namespace, id), enclaveID);
  const osakaGasCap = osakaGasCapOf(network.spec.chain.type);
  return { network, rpc, chainId, published, isCurrent, osakaGasCap };
}

/** Looks up what was submitted to a network. */
const placeOf = (network: Stored<NetworkResource>) => ({
  namespace: network.metadata.namespace,
  id: idOf(network),
});

/** What a node answers. That it was not reached says of which network it is. */
function named<T>({ metadata }: Stored<NetworkResource>, answer: Promise<T>): Promise<T> {
  return answer.catch((error: unknown) => {
    if (!isAppError(error, 'Unavailable')) throw error;
    const { message, retryAfterSeconds, cause } = error;
    const options = compact({ retryAfterSeconds, cause });
    throw new AppError('Unavailable', `network "${metadata.name}": ${message}`, options);
  });
}

/** What works on several networks says which one it waits for. */
function away(network: string, reason: string): AppError {
  return new AppError('Unavailable', `${network} cannot be used: ${reason}`, { retryAfterSeconds: 2 });
}

interface Target extends ReturnType<typeof present> {
  access: ChainAccess;
}

interface Sending {
  transaction: SentTransaction;
  signer: Signer;
  idempotencyKey: string;
}

async function sendOnce(deps: ChainsDeps, target: Target, sending: Sending): Promise<string> {
  const { network, access, ...node } = target;
  const { transaction, signer } = sending;
  const holder = access.signers[signer];
  if (!holder) throw new AppError('Internal', `no key is known for ${signer}`);
  const { idempotencyKey, earlier } = await findEarlier(deps, target, sending);
  if (earlier !== undefined) return earlier;
  const { name, namespace, uid } = network.metadata;
  const { address, user } = holder;
  const queue = {
    namespace,
    network: { name, uid, id: idOf(network) },
    incarnation: access.enclaveID,
    signer: address,
  };
  const items = [itemOf(transaction, address)];
  const { hashes, taken } = await holder.withKey((key) =>
    deps.send({ ...node, queue, key, items, idempotencyKey, ...compact({ user }) }),
  );
  await taken;
  const [hash] = hashes;
  if (hash === undefined) throw new AppError('Internal', `nothing was sent for ${idempotencyKey}`);
  return hash;
}

interface Earlier {
  /** The key to send under. */
  idempotencyKey: string;
  /** The hash of what was sent under it before. */
  earlier?: string | undefined;
}

/** What was sent before, in another incarnation, with another key or by somebody else. */
async function findEarlier(
  { kube, outboxes }: ChainsDeps,
  { network, rpc, access }: Target,
  { transaction, signer, idempotencyKey }: Sending,
): Promise<Earlier> {
  if (transaction.funds !== undefined) {
    return findPayment(kube, { network, rpc, incarnation: access.enclaveID, account: transaction.funds });
  }
  const submitted = access.isOlder
    ? await findSubmitted(kube, placeOf(network), idempotencyKey)
    : await findSubmittedIn(kube, formerQueues(outboxes, { network, access, signer }), idempotencyKey);
  return { idempotencyKey, earlier: submitted?.hashes[0] };
}

/** Sender queues of the chain that a deployer may have used before the default key was replaced. */
function formerQueues(
  outboxes: ChainsDeps['outboxes'],
  { network, access, signer }: Pick<Target, 'network' | 'access'> & Pick<Sending, 'signer'>,
): Stored<OutboxResource>[] {
  if (signer !== 'deployer') return [];
  const present = new Set(Object.values(access.signers).map(({ address }) => address.toLowerCase()));
  return queuesOf(outboxes, network).filter(
    ({ spec }) => spec.incarnation === access.enclaveID && !present.has(spec.signer.toLowerCase()),
  );
}

interface Payee {
  network: Stored<NetworkResource>;
  rpc: EvmRpc;
  incarnation: string;
  /** Address of the account that is to be funded. */
  account: string;
}

/** Failed payments before it is given up. */
const maxPayments = 100;

/**
 * The payment to an account that several senders find empty at the same time: they share the key, which names the
 * account's nonce, because an empty account sends nothing.
 */
async function findPayment(
  kube: ChainsDeps['kube'],
  { network, rpc, incarnation, account }: Payee,
): Promise<Earlier> {
  const nonce = await countNonces(rpc, account, 'latest');
  for (let attempt = 0; attempt < maxPayments; attempt++) {
    const idempotencyKey = `payment/${incarnation}/${account}/${nonce}#${attempt}`;
    const submitted = await findSubmitted(kube, placeOf(network), idempotencyKey);
    if (!submitted) return { idempotencyKey };
    if (!(await isVain(rpc, submitted))) return { idempotencyKey, earlier: submitted.hashes[0] };
  }
  throw new AppError('Conflict', `no payment to ${account} succeeds`);
}

/** Whether a payment was settled without success, or is no longer on a chain that was rolled back. */
async function isVain(rpc: EvmRpc, { hashes: [hash], results: [result] }: Submitted): Promise<boolean> {
  if (!result || hash === undefined) return false;
  if (result.state !== 'mined') return true;
  const [isKnown] = await areKnown(rpc, [hash]);
  return isKnown === false;
}

function itemOf({ to, data, value = 0n, gasLimit }: SentTransaction, from: string): TransactionItem {
  return {
    from,
    ...compact({ to }),
    value: value.toString(),
    data,
    ...compact({ gas_limit: gasLimit === undefined ? undefined : Number(gasLimit) }),
  };
}
