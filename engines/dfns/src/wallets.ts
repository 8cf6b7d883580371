import { Transaction } from 'ethers';
import { compact } from '../../../core/lib/compact.ts';
import { AppError } from '../../../core/lib/errors.ts';
import {
  anItem,
  createWalletSchema,
  tagsSchema,
  transactionSchema,
  transferItem,
  transferSchema,
  updateWalletSchema,
} from './bodies.ts';
import { addKey, keyNamed, walletNamed } from './found.ts';
import { newRecordId, type SendRecord, type WalletRecord } from './records.ts';
import type { Handler, Request } from './request.ts';

const maxWallets = 10_000;
const pageLimit = 1000;

export const createWallet: Handler = async ({ dfns, body }) => {
  const { store, keys, config, index } = dfns;
  const request = createWalletSchema.parse(body);
  const { network, name, externalId, tags = [], signingKey } = request;
  if (!config.networks.includes(network)) {
    throw new AppError('BadRequest', `network: this network serves ${config.networks.join(', ')}`);
  }
  await index.begin();
  return store.atomically(() => {
    const repeated = store.repeated('wallet', '', request);
    if (repeated) return repeated;
    if (store.count('wallet') >= maxWallets) {
      throw new AppError('TooManyRequests', `there are ${maxWallets} wallets, which is the most`);
    }
    const key = signingKey ? keyNamed(dfns, signingKey.id) : addKey(dfns, {});
    const record: WalletRecord = {
      id: newRecordId('wallet'),
      network,
      address: keys.addressOf(key.id),
      signingKey: keys.publicKeyOf(key.id),
      status: 'Active',
      dateCreated: dfns.now(),
      custodial: true,
      tags,
      ...compact({ name, externalId }),
    };
    store.add('wallet', { owner: '', record, body: request });
    return record;
  });
};

export const getWallet: Handler = (request) => walletNamed(request);

export const listWallets: Handler = ({ dfns, page }) => dfns.store.page('wallet', page);

export const updateWallet: Handler = (request) => {
  const { name, externalId } = updateWalletSchema.parse(request.body);
  const { name: oldName, externalId: oldId, ...wallet } = walletNamed(request);
  const kept = <T>(given: T | null | undefined, old: T | undefined) =>
    given === undefined ? old : (given ?? undefined);
  const record = {
    ...wallet,
    ...compact({ name: kept(name, oldName), externalId: kept(externalId, oldId) }),
  };
  request.dfns.store.atomically(() => request.dfns.store.update(record));
  return record;
};

export const tagWallet: Handler = (request) =>
  setTags(request, (old, given) => [...new Set([...old, ...given])]);

export const untagWallet: Handler = (request) =>
  setTags(request, (old, given) => old.filter((tag) => !given.includes(tag)));

function setTags(request: Request, change: (old: string[], given: string[]) => string[]): WalletRecord {
  const wallet = walletNamed(request);
  const record = { ...wallet, tags: change(wallet.tags, tagsSchema.parse(request.body).tags).slice(0, 50) };
  request.dfns.store.update(record);
  return record;
}

export const getAssets: Handler = async (request) => {
  const { id: walletId, network, address } = walletNamed(request);
  const { index, assets } = request.dfns;
  await syncIndex(request);
  return { walletId, network, assets: await assets.of(address, index.contractsOf(address)) };
};

export const getHistory: Handler = async (request) => {
  const { id: walletId, network, address } = walletNamed(request);
  const { index, assets } = request.dfns;
  await syncIndex(request);
  const { query, page } = request;
  const filters = ['direction', 'kind', 'contract'].map((name) => [name, query.get(name) ?? undefined]);
  const found = index.page(address, { ...page, ...compact(Object.fromEntries(filters)) });
  const items = await Promise.all(
    found.items.map(async (move) => {
      const facts = await assets.factsOf(move.contract);
      return { walletId, network, ...move, ...facts, metadata: { asset: facts } };
    }),
  );
  return { walletId, network, ...found, items };
};

async function syncIndex({ dfns: { store, index } }: Request): Promise<void> {
  const addresses = new Set<string>();
  let before = Number.MAX_SAFE_INTEGER;
  for (let isLast = false; !isLast; ) {
    const { items, nextPageToken } = store.page('wallet', { limit: pageLimit, before });
    for (const { address } of items) addresses.add(address.toLowerCase());
    before = Number(Buffer.from(nextPageToken ?? '', 'base64url'));
    isLast = nextPageToken === undefined;
  }
  await index.sync(addresses);
}

export const transfer: Handler = async (request): Promise<SendRecord> => {
  const body = transferSchema.parse(request.body);
  const wallet = walletNamed(request);
  const asset = await request.dfns.assets.factsOf('contract' in body ? body.contract : undefined);
  const item = transferItem(body, wallet.address);
  return request.dfns.sender.send({ kind: 'transfer', wallet, body, item, metadata: { asset } });
};

export const transaction: Handler = (request): Promise<SendRecord> => {
  const body = transactionSchema.parse(request.body);
  const wallet = walletNamed(request);
  const { item, nonce } =
    body.kind === 'Transaction' ? decodedItem(body.transaction, request) : givenItem(body);
  return request.dfns.sender.send({ kind: 'transaction', wallet, body, item, ...compact({ nonce }) });
};

type GivenBody = Exclude<ReturnType<typeof transactionSchema.parse>, { kind: 'Transaction' }>;

function givenItem(body: GivenBody) {
  const { to, value, data, gasLimit } = body;
  const fees = body.kind === 'Eip1559' ? body : { maxFeePerGas: undefined, maxPriorityFeePerGas: undefined };
  const item = anItem(
    compact({
      to,
      value,
      data,
      gas_limit: gasLimit === undefined ? undefined : Number(gasLimit),
      max_fee_per_gas: fees.maxFeePerGas,
      max_priority_fee_per_gas: fees.maxPriorityFeePerGas,
    }),
  );
  return { item, nonce: body.nonce };
}

/** What is set in an unsigned transaction stays; the rest is determined here. */
function decodedItem(text: string, { dfns }: Request) {
  let decoded: Transaction;
  try {
    decoded = Transaction.from(text);
  } catch {
    throw new AppError(
      'BadRequest',
      'transaction: cannot be decoded: send a serialized unsigned transaction',
    );
  }
  const { chainId, to, value, data, gasLimit, nonce } = decoded;
  if (chainId !== 0n && String(chainId) !== dfns.config.chainId) {
    const message = `transaction: is for chain id ${chainId}, but this network has ${dfns.config.chainId}`;
    throw new AppError('BadRequest', message);
  }
  const gas = gasLimit > 0n ? { gas_limit: Number(gasLimit) } : {};
  return { item: anItem({ ...(to ? { to } : {}), value: value.toString(), data, ...gas }), nonce };
}
