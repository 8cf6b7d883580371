import { isEvmChain } from '../../../core/api/resources/chainSpecs.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { RecordedNetworks, RecordedTransaction } from '../../../core/api/rest/replay.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { AppError, type ErrorDetail } from '../../../core/lib/errors.ts';

/** What is to be replayed on one network. */
export interface Part {
  recordedId: string;
  target: Stored<NetworkResource>;
  transactions: readonly RecordedTransaction[];
}

export interface PlanInput {
  networks: RecordedNetworks;
  /** Recorded network id to that of the network to replay on; others stay the same. */
  mapping: Readonly<Record<string, string>>;
  /** The network of the caller's workspace with this id. */
  find(id: string): Promise<Stored<NetworkResource> | undefined>;
  /** Where the networks are in the request. */
  path: string;
}

/**
 * Which transactions go where. Throws BadRequest when the mapping or the document cannot be followed, and NotFound when
 * a network does not exist, naming every place.
 */
export async function planReplay({ networks, mapping, find, path }: PlanInput): Promise<Part[]> {
  refuse('BadRequest', [...wrongMappings(networks, mapping), ...wrongOrders(networks, path)]);
  const parts: Part[] = [];
  const absent: ErrorDetail[] = [];
  const unfit: ErrorDetail[] = [];
  for (const [recordedId, { transactions }] of Object.entries(networks)) {
    const mapped = mapping[recordedId];
    const place = mapped === undefined ? `${path}.${recordedId}` : `networkMapping.${recordedId}`;
    const target = await find(mapped ?? recordedId);
    if (!target) {
      const remedy = mapped === undefined ? ': name another in networkMapping' : '';
      absent.push({ path: place, message: `there is no network with this id${remedy}` });
      continue;
    }
    const { type } = target.spec.chain;
    if (!isEvmChain(type))
      unfit.push({ path: place, message: `${type} networks take no replay: name an EVM network` });
    parts.push({ recordedId, target, transactions });
  }
  refuse('NotFound', absent);
  refuse('BadRequest', unfit);
  return parts;
}

function wrongMappings(networks: RecordedNetworks, mapping: Readonly<Record<string, string>>): ErrorDetail[] {
  const unknown = Object.keys(mapping)
    .filter((id) => !Object.hasOwn(networks, id))
    .map((id) => ({ path: `networkMapping.${id}`, message: 'is not among the recorded networks' }));
  const users = new Map<string, string>();
  const doubles = Object.keys(networks).flatMap((id) => {
    const target = mapping[id] ?? id;
    const other = users.get(target);
    users.set(target, id);
    const message = `leads to the same network as «${other}»: replay one recorded network on each`;
    return other === undefined ? [] : [{ path: `networkMapping.${id}`, message }];
  });
  return [...unknown, ...doubles];
}

/** The order of a recording is that of its blocks: anything else was made by hand, and by mistake. */
function wrongOrders(networks: RecordedNetworks, path: string): ErrorDetail[] {
  return Object.entries(networks).flatMap(([id, { transactions }]) => {
    const at = transactions.findIndex(({ block }, index) => block < (transactions[index - 1]?.block ?? 0));
    if (at === -1) return [];
    const message = 'is from an earlier block than the one before it: keep the order of the blocks';
    return [{ path: `${path}.${id}.transactions.${at}.block`, message }];
  });
}

function refuse(reason: 'BadRequest' | 'NotFound', details: ErrorDetail[]): void {
  if (details.length === 0) return;
  const list = details.map(({ path, message }) => `${path}: ${message}`).join('; ');
  throw new AppError(reason, `nothing was replayed: ${list}`.slice(0, 2000), { details });
}
