import { fail } from '../lib/failure.ts';
import { type Change, changesBetween } from './changes.ts';
import type { Manifest } from './documents.ts';
import type { Found, Kind, World } from './kind.ts';
import { kindOf } from './kinds.ts';

type Action = 'create' | 'update' | 'unchanged';

/** What applying a manifest does. */
export interface Step {
  action: Action;
  kind: Kind;
  manifest: Manifest;
  found?: Found | undefined;
  changes: Change[];
}

/** What applying all manifests does, in order. Throws before anything is changed when one of them cannot be applied. */
export async function planOf(world: World, manifests: readonly Manifest[]): Promise<Step[]> {
  const steps: Step[] = [];
  for (const manifest of manifests) steps.push(await stepOf(world, manifest));
  const refusals = steps.flatMap(refusalOf);
  if (refusals.length > 0) throw fail('conflict', refusals.join('\n  '), 'Nothing was changed.');
  return inOrder(steps);
}

/** Those of a lower rank first; otherwise as they were given. */
export function inOrder<T extends { kind: Kind; manifest: Manifest }>(steps: readonly T[]): T[] {
  return steps.toSorted((one, other) => one.kind.rank(one.manifest) - other.kind.rank(other.manifest));
}

async function stepOf(world: World, manifest: Manifest): Promise<Step> {
  const kind = kindOf(manifest);
  const found = await kind.find(world, manifest);
  const spec = kind.normalized?.(world, manifest, found) ?? manifest.spec;
  const changes = changesBetween(
    { labels: found?.labels ?? {}, spec: found?.spec ?? {} },
    { labels: manifest.labels, spec },
  );
  return { action: actionOf(found, changes), kind, manifest, found, changes };
}

function actionOf(found: Found | undefined, changes: readonly Change[]): Action {
  if (!found) return 'create';
  return changes.length > 0 ? 'update' : 'unchanged';
}

function refusalOf({ action, kind, manifest, found, changes }: Step): string[] {
  if (action !== 'update' || !found) return [];
  const refusal = kind.refusal({ manifest, found, changes });
  return refusal === undefined ? [] : [`${manifest.place}: ${refusal}`];
}
