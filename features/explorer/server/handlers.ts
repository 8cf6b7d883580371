import type { Dispatcher } from 'undici';
import type { Streams } from '../../../apiserver/events/streams.ts';
import type { UpstreamLookup } from '../../../apiserver/gateway/deps.ts';
import { openHold } from '../../../apiserver/http/limits/account.ts';
import type { MemoryBudget } from '../../../apiserver/http/limits/memoryBudget.ts';
import type { NodePlaces } from '../../../apiserver/http/limits/nodePlaces.ts';
import type { Handler, Handlers } from '../../../apiserver/http/pipeline/handler.ts';
import type { Find } from '../../../apiserver/store/find.ts';
import { idOf } from '../../../core/api/ids.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import { AppError, refusalWith } from '../../../core/lib/errors.ts';
import type { SharedHeads } from '../../../core/networks/heads/sharedHeads.ts';
import { incarnationOf } from '../../../core/networks/incarnation.ts';
import type { ChainAnswer, ChainRead } from '../api/chain.ts';
import { headsOf } from './headStream.ts';
import { refusalOf } from './methods.ts';
import { type NamedContractsDeps, namedContracts } from './namedContracts.ts';
import { readNode } from './nodeReads.ts';
import { familyOf, requireRunning, runningNode } from './places.ts';

export interface ExplorerDeps extends NamedContractsDeps {
  find: Find<NetworkResource>;
  upstreams: Pick<UpstreamLookup, 'find'>;
  memory: MemoryBudget;
  places: NodePlaces;
  agent: Dispatcher;
  clock: Clock;
  heads: SharedHeads;
  streams: Streams;
}

/** So many calls to a node cost as much as a request. */
const readsPerRequest = 8;

/** Reads of chains for explorers. Nothing here wakes a network or counts as activity. */
export function createExplorerHandlers(deps: ExplorerDeps) {
  return { readChain: readChain(deps), followBlocks: followBlocks(deps) } satisfies Handlers;
}

function readChain(deps: ExplorerDeps): Handler<'readChain'> {
  return async ({ principal, params, body, charge }) => {
    const network = await deps.find(principal.namespace, params.id);
    const { reads = [], contracts = [] } = body;
    refuseOthers(network, reads);
    charge(Math.floor((reads.length + contracts.length) / readsPerRequest));
    const hold = openHold(deps.memory, principal);
    try {
      const answers = reads.length === 0 ? [] : await answersOf(deps, network, { reads, take: hold.take });
      const wanted = { addresses: contracts, charge, take: hold.take };
      const named = await namedContracts(deps, network, wanted);
      await refuseReplaced(deps, network, principal.namespace);
      return { json: jsonOf(network, answers, named) };
    } finally {
      hold.release();
    }
  };
}

/** The contracts are JSON already. */
function jsonOf(
  network: Stored<NetworkResource>,
  answers: readonly ChainAnswer[],
  contracts: readonly string[],
): string {
  const enclaveID = incarnationOf(network) ?? '';
  const head = JSON.stringify({ kind: 'ChainAnswers', version: 'v1alpha', enclaveID, answers });
  return `${head.slice(0, -1)},"contracts":[${contracts.join(',')}]}`;
}

function answersOf(
  { upstreams, agent, clock, places }: ExplorerDeps,
  network: Stored<NetworkResource>,
  { reads, take }: { reads: readonly ChainRead[]; take(bytes: number): void },
): Promise<ChainAnswer[]> {
  return readNode(runningNode(upstreams, network), reads, { agent, clock, places, take });
}

function refuseOthers(network: Stored<NetworkResource>, reads: readonly ChainRead[]): void {
  const family = familyOf(network);
  if (reads.length > 0) requireRunning(network);
  const details = reads.flatMap((read, index) => {
    const message = refusalOf(family, read);
    return message === undefined ? [] : [{ path: `reads[${index}].method`, message }];
  });
  if (details.length > 0) throw refusalWith('nothing was read', details);
}

/** What was read must be of the incarnation that the answer names. */
export async function refuseReplaced(
  deps: Pick<ExplorerDeps, 'find'>,
  network: Stored<NetworkResource>,
  namespace: string,
) {
  const now = await deps.find(namespace, idOf(network));
  if (incarnationOf(now) === incarnationOf(network)) return;
  throw new AppError('Unavailable', 'the network began another chain while it was read; retry', {
    retryAfterSeconds: 1,
  });
}

/** How long a client may take nothing before its stream ends. */
const idleMs = 30_000;

function followBlocks(deps: ExplorerDeps): Handler<'followBlocks'> {
  return async ({ principal, params, query }) => {
    const network = await deps.find(principal.namespace, params.id);
    const enclaveID = requireRunning(network);
    const stream = deps.streams.open(principal);
    const isCurrent = async () => {
      const now = await deps.find(principal.namespace, params.id).catch(() => undefined);
      return now !== undefined && now.status?.state === 'Operational' && incarnationOf(now) === enclaveID;
    };
    const text = headsOf(deps, {
      uid: network.metadata.uid,
      enclaveID,
      isCurrent,
      signal: stream.signal,
      isFollowed: query?.follow !== 'false',
    });
    return { text: endingWith(stream.end, text), isEndless: true, idleMs };
  };
}

/** The text, whose iterator can be returned while it waits for the next block. */
function endingWith(end: () => void, text: AsyncGenerator<string>): AsyncIterable<string> {
  const finish = async (): Promise<IteratorReturnResult<undefined>> => {
    end();
    void text.return(undefined);
    return { value: undefined, done: true };
  };
  const next = async (): Promise<IteratorResult<string>> => {
    const part = await text.next();
    return part.done ? finish() : part;
  };
  return { [Symbol.asyncIterator]: () => ({ next, return: finish }) };
}
