import type { Dispatcher } from 'undici';
import type { UpstreamLookup } from '../../../../apiserver/gateway/deps.ts';
import { openHold } from '../../../../apiserver/http/limits/account.ts';
import type { MemoryBudget } from '../../../../apiserver/http/limits/memoryBudget.ts';
import type { Charge } from '../../../../apiserver/http/limits/price.ts';
import type { CursorScope, Cursors } from '../../../../apiserver/http/paging/cursor.ts';
import { addressInPath } from '../../../../apiserver/http/pipeline/addressInPath.ts';
import type { Call, Handler, Handlers } from '../../../../apiserver/http/pipeline/handler.ts';
import type { Find } from '../../../../apiserver/store/find.ts';
import { maxPageSize } from '../../../../core/api/operations/operation.ts';
import { isEvmChain } from '../../../../core/api/resources/chainSpecs.ts';
import type { NetworkResource } from '../../../../core/api/resources/network.ts';
import { addressSchema } from '../../../../core/api/values.ts';
import { asOwnCalls } from '../../../../core/chains/evm/ownCalls.ts';
import { createEvmRpc } from '../../../../core/evm/rpc.ts';
import type { Stored } from '../../../../core/kube/kube.ts';
import type { Clock } from '../../../../core/lib/clock.ts';
import { compact } from '../../../../core/lib/compact.ts';
import { AppError } from '../../../../core/lib/errors.ts';
import { createExclusive, type Exclusive } from '../../../../core/lib/work/exclusive.ts';
import { incarnationOf } from '../../../../core/networks/incarnation.ts';
import { usualEntries } from '../../api/history.ts';
import { refuseReplaced } from '../handlers.ts';
import { runningNode } from '../places.ts';
import type { ChainIndex } from './chainIndex.ts';
import { type Finder, findBefore, isBefore, type Position, transactionsOf, transfersOf } from './found.ts';
import { firstBlockOf, type Indexes } from './indexes.ts';

export interface HistoryDeps {
  find: Find<NetworkResource>;
  upstreams: Pick<UpstreamLookup, 'find'>;
  indexes: Indexes;
  cursors: Cursors;
  memory: MemoryBudget;
  agent: Dispatcher;
  clock: Clock;
}

/** How much is read of a chain for one page. */
const [maxCalls, maxMs] = [10_000, 1500];
/** So many calls to a node, in batches, cost as much as a request. */
const callsPerRequest = 32;
/** Largest answer of a node, which is held while it is parsed. */
const maxBytes = 8 * 1024 * 1024;

/** What an index of a chain answers. Nothing here wakes a network or counts as activity. */
export function createHistoryHandlers(deps: HistoryDeps) {
  const exclusive = createExclusive();
  return {
    listAccountTransactions: listAccountTransactions(deps, exclusive),
    listTokenTransfers: listTokenTransfers(deps, exclusive),
  } satisfies Handlers;
}

function listAccountTransactions(
  deps: HistoryDeps,
  exclusive: Exclusive,
): Handler<'listAccountTransactions'> {
  return async (call) => {
    const address = addressInPath(addressSchema, call.params.address);
    const endpoint = `listAccountTransactions/${address}`;
    const page = await pageOf({ deps, exclusive, call }, endpoint, transactionsOf(address));
    return { body: { kind: 'AccountTransactionList', version: 'v1alpha', ...page } };
  };
}

function listTokenTransfers(deps: HistoryDeps, exclusive: Exclusive): Handler<'listTokenTransfers'> {
  return async (call) => {
    const { of = 'account' } = call.query;
    const address = addressInPath(addressSchema, call.params.address);
    const endpoint = `listTokenTransfers/${of}/${address}`;
    const page = await pageOf({ deps, exclusive, call }, endpoint, transfersOf(address, of));
    return { body: { kind: 'TokenTransferList', version: 'v1alpha', ...page } };
  };
}

interface Asked {
  deps: HistoryDeps;
  exclusive: Exclusive;
  call: Pick<Call<'listAccountTransactions'>, 'principal' | 'params' | 'query' | 'charge'>;
}

/** A page of what a finder finds on the chain of a network. */
async function pageOf<T>({ deps, exclusive, call }: Asked, endpoint: string, find: Finder<T>) {
  const { principal, params, query } = call;
  const { userId, namespace } = principal;
  const { metadata } = await deps.find(namespace, params.id);
  return exclusive(metadata.uid, async () => {
    // Its chain may have ended while others read it.
    const network = await deps.find(namespace, params.id);
    const filter = `${params.id}/${incarnationOf(network)}`;
    const scope = { caller: `${userId}/${namespace}`, endpoint, filter };
    const wanted = wantedOf(deps.cursors, scope, query);
    const hold = openHold(deps.memory, principal);
    try {
      hold.take(maxBytes);
      const { index, enclaveID } = await indexed(deps, network, {
        charge: call.charge,
        isEnough: (blocks) => findBefore(blocks, find, wanted).length >= wanted.limit,
      });
      await refuseReplaced(deps, network, namespace);
      const { items, next } = found(index, find, wanted);
      const cursor = next && deps.cursors.seal(scope, next.join('/'));
      return { enclaveID, covered: coveredOf(index, network), items, metadata: compact({ cursor }) };
    } finally {
      hold.release();
    }
  });
}

interface Reading {
  charge: Charge;
  isEnough(blocks: ChainIndex['blocks']): boolean;
}

/** The index of a network's chain, read as far as it is needed. The calls to the node are charged, whatever comes of them. */
async function indexed(
  { upstreams, indexes, agent, clock }: HistoryDeps,
  network: Stored<NetworkResource>,
  { charge, isEnough }: Reading,
) {
  const { type } = network.spec.chain;
  if (!isEvmChain(type)) {
    throw new AppError('BadRequest', `${type} networks have no index: use an EVM network`);
  }
  const { rpcUrl, enclaveID } = runningNode(upstreams, network);
  const rpc = createEvmRpc({ url: rpcUrl, agent, clock, maxBytes });
  const index = indexes.of(network, enclaveID);
  const untilMs = clock.steadyMs() + maxMs;
  let calls = 0;
  const batch = asOwnCalls((some) => {
    calls += some.length;
    return rpc.batch(some);
  });
  try {
    await index.read(
      { batch },
      {
        isLate: () => calls >= maxCalls || clock.steadyMs() >= untilMs,
        isEnough: () => isEnough(index.blocks),
      },
    );
  } finally {
    indexes.trim();
    charge(Math.floor(calls / callsPerRequest));
  }
  return { index, enclaveID };
}

interface Wanted {
  before: Position | undefined;
  limit: number;
}

function wantedOf(
  cursors: Cursors,
  scope: CursorScope,
  query: Call<'listAccountTransactions'>['query'],
): Wanted {
  const { cursor, limit = usualEntries } = query;
  const [block = 0, transaction = 0, place = 0] = cursor
    ? cursors.open(scope, cursor).split('/').map(Number)
    : [];
  return {
    before: cursor ? [block, transaction, place] : undefined,
    limit: Math.min(limit, maxPageSize),
  };
}

/** The entries of a page, and where the next one begins: after the last of them, or with blocks that are still to be searched. */
function found<T>(index: ChainIndex, find: Finder<T>, wanted: Wanted): { items: T[]; next?: Position } {
  const entries = findBefore(index.blocks, find, { ...wanted, limit: wanted.limit + 1 });
  const page = entries.slice(0, wanted.limit);
  const items = page.map(({ item }) => item);
  const last = page.at(-1);
  const isWhole = page.length === wanted.limit && (index.isOpen || entries.length > page.length);
  if (last && isWhole) return { items, next: last.at };
  if (!index.isOpen) return { items };
  const searched: Position = [index.covered.from, 0, 0];
  return { items, next: wanted.before && isBefore(wanted.before, searched) ? wanted.before : searched };
}

function coveredOf({ covered, blocks }: ChainIndex, { status }: Stored<NetworkResource>) {
  const untraced = blocks.filter(({ transactions }) => transactions.some(({ inner }) => !inner));
  return {
    first: String(firstBlockOf(status)),
    from: String(covered.from),
    to: String(covered.to),
    untraced: untraced.length,
  };
}
