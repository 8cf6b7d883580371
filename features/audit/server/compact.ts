import type { Stored } from '../../../core/api/resources/kubeObject.ts';
import type { Kube } from '../../../core/kube/kube.ts';
import { AppError } from '../../../core/lib/errors.ts';
import { type AuditChunkResource, auditChunkType, maxAuditEntries, maxChunkEntries } from '../api/chunk.ts';
import { chunkName, chunkSequences, type PlacedRecord, placedIn, specOf, toStored } from './chunks.ts';
import { actorOf, keptOf } from './shares.ts';

type ChunkKube = Pick<Kube, 'get' | 'list' | 'replace' | 'delete'>;

/** A chunk as it was read: its version, and the actor of each entry. */
interface Seen {
  sequence: number;
  version: string;
  actors: string[];
}

interface Plan extends Seen {
  kept: boolean[];
}

/**
 * Removes what is above the number of entries that are kept, from the actors with the most, and puts together what is left in neighbouring
 * chunks: an entry keeps its place. Rejects with Conflict if another replica does the same.
 */
export async function compactAudit(
  kube: ChunkKube,
  namespace: string,
  most = maxAuditEntries,
): Promise<void> {
  const sequences = (await chunkSequences(kube, namespace)).reverse();
  const seen: Seen[] = [];
  for (const sequence of sequences) {
    const chunk = await read(kube, namespace, sequence);
    const actors = chunk ? (await placedIn(chunk)).map(({ record }) => actorOf(record)) : [];
    if (chunk) seen.push({ sequence, actors, version: chunk.metadata.resourceVersion });
  }
  const total = seen.reduce((sum, { actors }) => sum + actors.length, 0);
  if (total <= most) return;
  const kept = keptOf(
    seen.map(({ actors }) => actors),
    most,
  );
  // Entries are still added to the newest.
  const plans = seen.slice(0, -1).map((one, index) => ({ ...one, kept: kept[index] ?? [] }));
  for (const group of groupsOf(plans)) await merge(kube, namespace, group);
}

/** Neighbours whose entries fit into one chunk. */
function groupsOf(plans: readonly Plan[]): Plan[][] {
  const groups: Plan[][] = [];
  let size = 0;
  for (const plan of plans) {
    const count = countKept(plan);
    const group = groups.at(-1);
    if (group && size + count <= maxChunkEntries) group.push(plan);
    else groups.push([plan]);
    size = groups.at(-1) === group ? size + count : count;
  }
  return groups;
}

const countKept = ({ kept }: Plan) => kept.filter(Boolean).length;

/** Writes what stays of several chunks into the newest of them, and then deletes the others: a reader sees each entry meanwhile. */
async function merge(kube: ChunkKube, namespace: string, group: readonly Plan[]): Promise<void> {
  const target = group.at(-1);
  if (!target) return;
  const others = group.slice(0, -1);
  const isSame = countKept(target) === target.actors.length && others.every((one) => countKept(one) === 0);
  if (!isSame) await rewrite(kube, namespace, group);
  for (const { sequence } of others)
    await kube.delete(auditChunkType, { namespace, name: chunkName(sequence) });
}

async function rewrite(kube: ChunkKube, namespace: string, group: readonly Plan[]): Promise<void> {
  // By their place: a replica that crashed in here has left some in two chunks.
  const records = new Map<string, PlacedRecord>();
  let target: Stored<AuditChunkResource> | undefined;
  for (const { sequence, version, kept } of group) {
    target = await read(kube, namespace, sequence);
    if (target?.metadata.resourceVersion !== version) throw new AppError('Conflict', 'the chunk has changed');
    const placed = (await placedIn(target)).filter((_one, index) => kept[index]);
    for (const one of placed) records.set(`${one.sequence}.${one.index}`, one);
  }
  if (!target) return;
  const { sequence } = target.spec;
  if (records.size === 0) return void (await kube.delete(auditChunkType, target.metadata));
  await kube.replace(auditChunkType, {
    ...target,
    spec: await specOf(sequence, [...records.values()].map(toStored)),
  });
}

function read(kube: Pick<Kube, 'get'>, namespace: string, sequence: number) {
  return kube.get(auditChunkType, { namespace, name: chunkName(sequence) });
}
