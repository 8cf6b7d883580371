import { z } from 'zod';
import { annotations } from '../../core/api/names.ts';
import type { Kube, Stored } from '../../core/kube/kube.ts';
import { parseVersion } from '../../core/kube/objects.ts';
import { type Lease, leaseType } from '../../core/kube/types.ts';

/** By kind, the newest resourceVersion that is known to have been written or read. */
export type Versions = ReadonlyMap<string, bigint>;

/** More entries than this, mostly of processes that have ended, become one. */
const maxEntries = 16;

const versionsSchema = z.record(z.string(), z.string());

export function raise(versions: Map<string, bigint>, kind: string, version: bigint): void {
  if ((versions.get(kind) ?? 0n) < version) versions.set(kind, version);
}

/** Puts all entries into one. An entry of a replica that lives comes back with its next write. */
export async function foldEntries(kube: Pick<Kube, 'replace'>, { metadata }: Stored<Lease>): Promise<void> {
  const names = Object.keys(metadata.annotations ?? {}).filter(isEntry);
  if (names.length <= maxEntries) return;
  const folded = new Map<string, bigint>();
  for (const [kind, version] of versionsOn({ metadata })) raise(folded, kind, version);
  const all = { ...metadata.annotations, [`${annotations.written}past`]: textOf(folded) };
  for (const name of names) if (!name.endsWith('past')) delete all[name];
  // With its resourceVersion: nothing that somebody has written meanwhile is lost.
  await kube.replace(leaseType, leaseWith({ ...metadata, annotations: all }));
}

export interface Retraction {
  /** The versions that were named before the cluster was listed. */
  claims: ReadonlySet<bigint>;
  /** The version of that list, or what was seen since. */
  seen: bigint;
}

interface Lowering extends Retraction {
  ref: { namespace: string; name: string };
  kind: string;
}

/** Whoever writes the Lease at the same time wins: the next request that waits for a wrong version tries again. */
export async function lowerEntries(
  kube: Pick<Kube, 'get' | 'replace'>,
  { ref, kind, claims, seen }: Lowering,
): Promise<void> {
  const lease = await kube.get(leaseType, ref);
  if (!lease) return;
  const all = { ...lease.metadata.annotations };
  for (const name of Object.keys(all).filter(isEntry)) {
    const versions = new Map(versionsIn(all[name]));
    const version = versions.get(kind) ?? 0n;
    if (version > seen && claims.has(version)) all[name] = textOf(versions.set(kind, seen));
  }
  await kube.replace(leaseType, leaseWith({ ...lease.metadata, annotations: all }));
}

const isEntry = (name: string) => name.startsWith(annotations.written);

export function leaseWith(metadata: Lease['metadata']): Lease {
  return { apiVersion: 'coordination.k8s.io/v1', kind: leaseType.kind, metadata, spec: {} };
}

export function textOf(versions: Versions): string {
  return JSON.stringify(Object.fromEntries([...versions].map(([kind, version]) => [kind, String(version)])));
}

type Annotated = { metadata: Pick<Lease['metadata'], 'annotations'> };

export function versionsOn(lease: Annotated | undefined): [kind: string, version: bigint][] {
  const entries = Object.entries(lease?.metadata.annotations ?? {}).filter(([name]) => isEntry(name));
  return entries.flatMap(([, text]) => versionsIn(text));
}

/** An entry that somebody corrupted by hand says nothing. */
function versionsIn(text = ''): [kind: string, version: bigint][] {
  try {
    const versions = versionsSchema.parse(JSON.parse(text));
    return Object.entries(versions).map(([kind, version]) => [kind, parseVersion(version)]);
  } catch {
    return [];
  }
}
