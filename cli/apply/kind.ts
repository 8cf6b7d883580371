import type { Client } from '../lib/client.ts';
import type { Context } from '../lib/context.ts';
import type { Options } from '../lib/options.ts';
import type { Members } from '../lib/values.ts';
import type { Wait } from '../lib/wait.ts';
import type { Change } from './changes.ts';
import type { Manifest } from './manifest.ts';

/** What applying works with. */
export interface World {
  context: Context;
  client: Client;
  signal: AbortSignal;
  options: Options;
  /** Names of the networks that the manifests create. */
  planned: ReadonlySet<string>;
}

/** What exists, in the form of a manifest. */
export interface Found {
  id: string;
  name: string;
  labels: Record<string, string>;
  spec: Members;
  /** What REST answered. */
  object: unknown;
}

export interface Update {
  manifest: Manifest;
  found: Found;
  changes: readonly Change[];
}

/** What is asked before it is created or updated. */
interface Trial extends Omit<Update, 'found'> {
  found: Found | undefined;
}

/** How objects of a kind are applied through REST. */
export interface Kind {
  kind: string;
  /** Objects of a lower rank are applied first, and deleted last. */
  rank(manifest: Manifest): number;
  /** Paths whose values are not printed. */
  hidden?: readonly string[];
  /** The spec with which a new object would be found, for comparison. */
  normalized?(world: World, manifest: Manifest, found: Found | undefined): Members;
  find(world: World, manifest: Manifest): Promise<Found | undefined>;
  /** Why these changes cannot be made; undefined when they can. */
  refusal(update: Update): string | undefined;
  /** Has the service check it, and store nothing. Rejects with what the service refuses. */
  check?(world: World, trial: Trial): Promise<unknown>;
  create(world: World, manifest: Manifest): Promise<unknown>;
  update(world: World, update: Update): Promise<unknown>;
  remove(world: World, found: Found): Promise<void>;
  /** What is waited for after it was applied; nothing when absent. */
  wait?(world: World, found: Found): Wait;
  /** What is waited for after it was deleted. */
  removalWait?(world: World, found: Found): Wait;
  /** Objects with these labels, for --prune. */
  labelled(world: World, selector: string): AsyncIterable<{ id: string; name: string }>;
}

/** Where tokens and recordings, whose names do not identify them in REST, carry the name of their manifest. */
export const manifestLabel = 'slipway-manifest';

export function withManifestLabel({ name, labels }: Manifest): Record<string, string> {
  return { ...labels, [manifestLabel]: name };
}

export function userLabels(labels: Record<string, string> | undefined): Record<string, string> {
  const { [manifestLabel]: _name, ...others } = labels ?? {};
  return others;
}

/** For kinds whose objects never change. */
export function never(what: string): (update: Update) => string {
  return ({ changes, found }) =>
    `${what} cannot be changed (${changes.map(({ path }) => path).join(', ')}): delete "${found.name}" first, or use another name`;
}
