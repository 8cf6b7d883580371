import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { TransactionItem } from '../../core/api/rest/transaction.ts';
import type { SentTransaction, TokenChain } from '../../core/deploy/ports.ts';
import type { Signer } from '../../core/deploy/step.ts';
import type { EvmRpc } from '../../core/evm/rpc.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { compact } from '../../core/lib/compact.ts';
import { AppError } from '../../core/lib/errors.ts';
import { isPresent, isSameIncarnation } from '../../core/networks/incarnation.ts';
import { findSubmittedHashes } from '../../core/outbox/findSubmitted.ts';
import type { Send } from '../../core/outbox/send.ts';
import type { KeyHolder } from './signers.ts';
import { whyDropped } from './whyDropped.ts';

export interface ChainsDeps {
  kube: Pick<Kube, 'get' | 'list'>;
  networks: Pick<Reflector<NetworkResource>, 'byIndex'>;
  /** The node of a network, by its uid; undefined while no node is ready. */
  rpcOf(networkUid: string): EvmRpc | undefined;
  send: Send;
}

/** Who asks for a chain. */
interface ChainAccess {
  /** status.enclaveID of the network: no other chain is read from or sent to. */
  enclaveID: string;
  /** Whether its data is older than this incarnation: then an idempotency key may have been used in an earlier one. */
  isOlder?: boolean;
  signers: Partial<Record<Signer, KeyHolder>>;
  signal?: AbortSignal;
}

/** The chain of a network's uid. Throws Unavailable while it cannot be used, and when the network started another one. */
export type ChainOf = (networkUid: string, access: ChainAccess) => TokenChain;

export function createChains(deps: ChainsDeps): ChainOf {
  return (uid, access) => {
    const find = () => present(deps, uid, access);
    find();
    return {
      call: (method, params) => find().rpc.call(method, params, compact({ signal: access.signal })),
      send: (idempotencyKey, transaction, signer) =>
        sendOnce(deps, { ...find(), access, idempotencyKey }, { transaction, signer }),
      whyDropped: (idempotencyKey, hash) =>
        whyDropped(deps.kube, find().network.metadata, { idempotencyKey, hash }),
    };
  };
}

function present({ networks, rpcOf }: ChainsDeps, uid: string, { enclaveID }: ChainAccess) {
  const [network] = networks.byIndex('uid', uid);
  if (!isPresent(network)) throw away('it was deleted');
  const { state = 'Pending' } = network.status ?? {};
  if (state !== 'Operational') throw away(`it is ${state}`);
  if (!isSameIncarnation(network, enclaveID)) throw away('it began a new chain');
  const rpc = rpcOf(uid);
  if (!rpc) throw away('its node is not ready');
  return { network, rpc };
}

function away(reason: string): AppError {
  return new AppError('Unavailable', `the network cannot be used: ${reason}`, { retryAfterSeconds: 2 });
}

interface Target extends ReturnType<typeof present> {
  access: ChainAccess;
  idempotencyKey: string;
}

interface Sending {
  transaction: SentTransaction;
  signer: Signer;
}

async function sendOnce(deps: ChainsDeps, target: Target, { transaction, signer }: Sending): Promise<string> {
  const { network, rpc, access, idempotencyKey } = target;
  const holder = access.signers[signer];
  if (!holder) throw new AppError('Internal', `no key is known for ${signer}`);
  const { name, namespace, uid } = network.metadata;
  const earlier = access.isOlder
    ? await findSubmittedHashes(deps.kube, { namespace, uid }, idempotencyKey)
    : undefined;
  if (earlier?.[0]) return earlier[0];
  const { address, user } = holder;
  const queue = { namespace, network: { name, uid }, incarnation: access.enclaveID, signer: address };
  const items = [itemOf(transaction, address)];
  const { hashes, taken } = await holder.withKey((key) =>
    deps.send({ queue, rpc, key, items, idempotencyKey, ...compact({ user }) }),
  );
  await taken;
  const [hash] = hashes;
  if (hash === undefined) throw new AppError('Internal', `nothing was sent for ${idempotencyKey}`);
  return hash;
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
