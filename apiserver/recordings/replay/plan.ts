import { isEvmChain } from '../../../core/api/resources/chainSpecs.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import { maxRecordedNetworks } from '../../../core/api/rest/recording.ts';
import type { RecordedNetworks, RecordedTransaction } from '../../../core/api/rest/replay.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { type ErrorDetail, refusalWith } from '../../../core/lib/errors.ts';

/** The transactions of one recorded network. */
export interface Source {
  /** Id of the recorded network. */
  id: string;
  /** In order, some at a time. Can be called again. */
  read(): AsyncIterable<readonly RecordedTransaction[]>;
}

/** What to replay on one network. */
export interface Part {
  recordedId: string;
  target: Stored<NetworkResource>;
  read: Source['read'];
}

export interface PlanInput {
  sources: readonly Source[];
  /** Recorded network ids to ids of the networks to replay on; the others stay the same. */
  mapping: Readonly<Record<string, string>>;
  /** The network of the caller's workspace with this id. */
  find(id: string): Promise<Stored<NetworkResource> | undefined>;
  /** The path of the networks in the request. */
  path: string;
}

/**
 * Assigns the transactions to networks. Throws BadRequest if the mapping is invalid, and NotFound if a network does not
 * exist, naming every place.
 */
export async function planReplay({ sources, mapping, find, path }: PlanInput): Promise<Part[]> {
  if (sources.length > maxRecordedNetworks) {
    const message = `has ${sources.length} networks: replay at most ${maxRecordedNetworks} at a time`;
    refuse('BadRequest', [{ path, message }]);
  }
  refuse(
    'BadRequest',
    wrongMappings(
      sources.map(({ id }) => id),
      mapping,
    ),
  );
  const parts: Part[] = [];
  const absent: ErrorDetail[] = [];
  const unsupported: ErrorDetail[] = [];
  for (const { id: recordedId, read } of sources) {
    const mapped = mapping[recordedId];
    const location = mapped === undefined ? `${path}.${recordedId}` : `networkMapping.${recordedId}`;
    const target = await find(mapped ?? recordedId);
    if (!target) {
      const remedy =
        mapped === undefined
          ? ': map it to an existing network in networkMapping'
          : ': use the id of a network in this workspace';
      absent.push({ path: location, message: `no network has this id${remedy}` });
      continue;
    }
    const { type } = target.spec.chain;
    if (!isEvmChain(type))
      unsupported.push({
        path: location,
        message: `${type} networks do not support replays: use an EVM network`,
      });
    parts.push({ recordedId, target, read });
  }
  refuse('NotFound', absent);
  refuse('BadRequest', unsupported);
  return parts;
}

function wrongMappings(ids: readonly string[], mapping: Readonly<Record<string, string>>): ErrorDetail[] {
  const recorded = new Set(ids);
  const unknown = Object.keys(mapping)
    .filter((id) => !recorded.has(id))
    .map((id) => ({
      path: `networkMapping.${id}`,
      message: 'is not a recorded network: remove it, or use the id of a recorded network',
    }));
  const users = new Map<string, string>();
  const doubles = ids.flatMap((id) => {
    const target = mapping[id] ?? id;
    const other = users.get(target);
    users.set(target, id);
    const message = `maps to the same network as "${other}": map each recorded network to a different one`;
    return other === undefined ? [] : [{ path: `networkMapping.${id}`, message }];
  });
  return [...unknown, ...doubles];
}

/**
 * The networks of a document, which is in memory. Throws BadRequest if its transactions are not ordered by block: that
 * is a mistake in an edited document.
 */
export function documentSources(networks: RecordedNetworks, path: string): Source[] {
  refuse('BadRequest', wrongOrders(networks, path));
  return Object.entries(networks).map(([id, { transactions }]) => ({
    id,
    async *read() {
      yield transactions;
    },
  }));
}

function wrongOrders(networks: RecordedNetworks, path: string): ErrorDetail[] {
  return Object.entries(networks).flatMap(([id, { transactions }]) => {
    const at = transactions.findIndex(({ block }, index) => block < (transactions[index - 1]?.block ?? 0));
    if (at === -1) return [];
    const message = 'is lower than the block of the previous transaction: order the transactions by block';
    return [{ path: `${path}.${id}.transactions[${at}].block`, message }];
  });
}

function refuse(reason: 'BadRequest' | 'NotFound', details: ErrorDetail[]): void {
  if (details.length > 0) throw refusalWith('nothing was replayed', details, reason);
}
