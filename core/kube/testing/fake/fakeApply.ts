import { stableJson } from '../../../lib/hash.ts';
import type { FieldOwners } from './fakeStorage.ts';

/**
 * Server-side apply for the fake: maps are merged, lists are atomic, except finalizers and ownerReferences,
 * whose entries are fields. The real server also merges some lists of its own kinds by key (containers, ports).
 */

type Tree = { [key: string]: unknown };

/** A step in a field's path; `{ entry }` is an entry of a merged list, by its key. */
type Step = string | { entry: string };
type Leaf = { path: Step[]; value: unknown };

const identity = [
  ['apiVersion'],
  ['kind'],
  ...['name', 'namespace', 'uid', 'resourceVersion'].map((key) => ['metadata', key]),
];
const identityPaths = new Set(identity.map((path) => JSON.stringify(path)));
const serverSet = new Set([
  'creationTimestamp',
  'generation',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
]);

/** The object after `manager` applied `applied` to it; `owners` is updated in place. */
export function applyFields(
  current: Tree,
  applied: Tree,
  by: { owners: FieldOwners; manager: string },
): Tree {
  const { owners, manager } = by;
  const result = structuredClone(current);
  const wanted = new Map(leavesOf(applied).map((leaf) => [JSON.stringify(leaf.path), leaf]));
  for (const [key, holders] of [...owners]) {
    if (wanted.has(key) || !holders.delete(manager) || holders.size > 0) continue;
    owners.delete(key);
    const path = JSON.parse(key) as Step[];
    // The field was an empty map; what other managers put into it stays.
    if (!isFilled(valueAt(result, path))) removeAt(result, path);
  }
  for (const [key, { path, value }] of wanted) {
    const found = valueAt(result, path);
    const isSame = stableJson(found) === stableJson(value) || (isTree(value) && isFilled(found));
    if (!isSame) setAt(result, path, value);
    owners.set(key, isSame ? (owners.get(key) ?? new Set()).add(manager) : new Set([manager]));
  }
  return result;
}

/** After a write other than an apply: its manager owns what it changed, and nobody owns what it removed. */
export function ownChanges(before: Tree, after: Tree, by: { owners: FieldOwners; manager: string }): void {
  const former = new Map(
    leavesOf(before).map(({ path, value }) => [JSON.stringify(path), stableJson(value)]),
  );
  for (const { path, value } of leavesOf(after)) {
    const key = JSON.stringify(path);
    if (former.get(key) !== stableJson(value)) by.owners.set(key, new Set([by.manager]));
    former.delete(key);
  }
  for (const key of former.keys()) by.owners.delete(key);
}

function leavesOf(tree: Tree): Leaf[] {
  return collect(tree, []).filter(({ path }) => {
    const [first, second] = path;
    const isServerSet = first === 'metadata' && typeof second === 'string' && serverSet.has(second);
    return !identityPaths.has(JSON.stringify(path)) && !isServerSet;
  });
}

function collect(value: unknown, path: Step[]): Leaf[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value) && isMergedList(path)) {
    return value.map((item) => ({ path: [...path, { entry: entryKey(item) }], value: item }));
  }
  if (!isTree(value) || Object.keys(value).length === 0) return [{ path, value }];
  return Object.entries(value).flatMap(([key, member]) => collect(member, [...path, key]));
}

function isMergedList(path: Step[]): boolean {
  const [first, second] = path;
  return (
    path.length === 2 && first === 'metadata' && (second === 'finalizers' || second === 'ownerReferences')
  );
}

function entryKey(item: unknown): string {
  return isTree(item) ? String(item.uid) : String(item);
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether this is a map with members; fields are never such maps themselves, their members are. */
function isFilled(value: unknown): boolean {
  return isTree(value) && Object.keys(value).length > 0;
}

function valueAt(root: unknown, path: Step[]): unknown {
  return path.reduce<unknown>((value, step) => {
    if (typeof step === 'string') return isTree(value) ? value[step] : undefined;
    return Array.isArray(value) ? value.find((item) => entryKey(item) === step.entry) : undefined;
  }, root);
}

function setAt(root: Tree, path: Step[], value: unknown): void {
  const last = path.at(-1);
  if (last === undefined) return;
  if (typeof last === 'string') {
    const parent = reach(root, path.slice(0, -1));
    parent[last] = structuredClone(value);
    return;
  }
  const list = reach(root, path.slice(0, -2));
  const name = String(path.at(-2));
  const others = entriesOf(list[name]).filter((item) => entryKey(item) !== last.entry);
  list[name] = [...others, structuredClone(value)];
}

/** The map at `path`, created where it does not exist. */
function reach(root: Tree, path: Step[]): Tree {
  return path.reduce<Tree>((tree, step) => {
    const key = String(step);
    const next = tree[key];
    if (isTree(next)) return next;
    const made: Tree = {};
    tree[key] = made;
    return made;
  }, root);
}

/** Removes a field, and the maps and merged lists that become empty. */
function removeAt(root: Tree, path: Step[]): void {
  const last = path.at(-1);
  const parentPath = path.slice(0, -1);
  const parent = valueAt(root, parentPath);
  if (last === undefined) return;
  if (typeof last !== 'string') {
    const rest = entriesOf(parent).filter((item) => entryKey(item) !== last.entry);
    if (rest.length > 0) setAt(root, parentPath, rest);
    if (rest.length === 0) removeAt(root, parentPath);
    return;
  }
  if (!isTree(parent)) return;
  delete parent[last];
  if (Object.keys(parent).length === 0 && parentPath.length > 0) removeAt(root, parentPath);
}

function entriesOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** JSON merge patch (RFC 7386). */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isTree(patch)) return patch;
  const result: Tree = isTree(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    if (value !== null && value !== undefined) result[key] = mergePatch(result[key], value);
  }
  return result;
}
