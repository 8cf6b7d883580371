import { isEvmChain } from '../../../core/api/resources/chainSpecs.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { RecordedNetworks, RecordedTransaction } from '../../../core/api/rest/replay.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { AppError, type ErrorDetail } from '../../../core/lib/errors.ts';

/** The transactions to replay on one network. */
export interface Part {
  recordedId: string;
  target: Stored<NetworkResource>;
  transactions: readonly RecordedTransaction[];
}

export interface PlanInput {
  networks: RecordedNetworks;
  /** Recorded network ids to ids of the networks to replay on; the others stay the same. */
  mapping: Readonly<Record<string, string>>;
  /** The network of the caller's workspace with this id. */
  find(id: string): Promise<Stored<NetworkResource> | undefined>;
  /** The path of the networks in the request. */
  path: string;
}

/**
 * Assigns the transactions to networks. Throws BadRequest if the mapping or the document is invalid, and NotFound if a
 * network does not exist, naming every place.
 */
export async function planReplay({ networks, mapping, find, path }: PlanInput): Promise<Part[]> {
  refuse('BadRequest', [...wrongMappings(networks, mapping), ...wrongOrders(networks, path)]);
  const parts: Part[] = [];
  const absent: ErrorDetail[] = [];
  const unsupported: ErrorDetail[] = [];
  for (const [recordedId, { transactions }] of Object.entries(networks)) {
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
    parts.push({ recordedId, target, transactions });
  }
  refuse('NotFound', absent);
  refuse('BadRequest', unsupported);
  return parts;
}

function wrongMappings(networks: RecordedNetworks, mapping: Readonly<Record<string, string>>): ErrorDetail[] {
  const unknown = Object.keys(mapping)
    .filter((id) => !Object.hasOwn(networks, id))
    .map((id) => ({
      path: `networkMapping.${id}`,
      message: 'is not a recorded network: remove it, or use the id of a recorded network',
    }));
  const users = new Map<string, string>();
  const doubles = Object.keys(networks).flatMap((id) => {
    const target = mapping[id] ?? id;
    const other = users.get(target);
    users.set(target, id);
    const message = `maps to the same network as "${other}": map each recorded network to a different one`;
    return other === undefined ? [] : [{ path: `networkMapping.${id}`, message }];
  });
  return [...unknown, ...doubles];
}

/** Transactions of a recording are ordered by block. Any other order is a mistake in an edited document. */
function wrongOrders(networks: RecordedNetworks, path: string): ErrorDetail[] {
  return Object.entries(networks).flatMap(([id, { transactions }]) => {
    const at = transactions.findIndex(({ block }, index) => block < (transactions[index - 1]?.block ?? 0));
    if (at === -1) return [];
    const message = 'is lower than the block of the previous transaction: order the transactions by block';
    return [{ path: `${path}.${id}.transactions.${at}.block`, message }];
  });
}

function refuse(reason: 'BadRequest' | 'NotFound', details: ErrorDetail[]): void {
  if (details.length === 0) return;
  const list = details.map(({ path, message }) => `${path}: ${message}`).join('; ');
  throw new AppError(reason, `nothing was replayed: ${list}`.slice(0, 2000), { details });
}
