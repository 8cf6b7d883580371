import { type Change, changesBetween } from './changes.ts';
import type { Reading } from './documents.ts';
import type { Found, Kind, World } from './kind.ts';
import { kindOf } from './kinds.ts';
import type { Manifest } from './manifest.ts';
import { type Problem, problemIn } from './problems.ts';

type Action = 'create' | 'update' | 'unchanged';

/** What applying a manifest does. */
export interface Step {
  action: Action;
  kind: Kind;
  manifest: Manifest;
  found?: Found | undefined;
  changes: Change[];
}

/** What applying all manifests does, in order, and what is wrong with those that cannot be applied. */
export async function planOf(
  world: World,
  { manifests, problems }: Reading,
): Promise<{ steps: Step[]; problems: Problem[] }> {
  const steps: Step[] = [];
  const all = [...problems];
  for (const manifest of manifests) {
    try {
      steps.push(await stepOf(world, manifest));
    } catch (error) {
      all.push(problemIn(error, manifest.position));
    }
  }
  return { steps: inOrder(steps), problems: [...all, ...steps.flatMap(refusalOf)] };
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

function refusalOf({ action, kind, manifest, found, changes }: Step): Problem[] {
  if (action !== 'update' || !found) return [];
  const message = kind.refusal({ manifest, found, changes });
  if (message === undefined) return [];
  const { position, place: path } = manifest;
  return [{ position, exit: 'conflict', path, message }];
}
