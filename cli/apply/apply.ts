import { confirm } from '../io/input.ts';
import type { Context } from '../lib/context.ts';
import { failureOf } from '../lib/describe.ts';
import { fail, failWith } from '../lib/failure.ts';
import type { Call } from '../lib/spec.ts';
import { type Wait, waitUntil } from '../lib/wait.ts';
import { checkAll, placed } from './check.ts';
import { readManifests } from './documents.ts';
import type { Found, Kind, World } from './kind.ts';
import { secretKind } from './kinds/secret.ts';
import { kindOf, kinds } from './kinds.ts';
import type { Manifest } from './manifest.ts';
import { inOrder, planOf, type Step } from './plan.ts';
import { refuse } from './problems.ts';
import { reportDone, reportPlanned, titleOf } from './report.ts';

/** Creates and updates what the manifests say. */
export async function apply(context: Context, { options }: Call): Promise<void> {
  const { ui } = context;
  const reading = await readManifests(context.io, options.list('file'));
  const { manifests } = reading;
  const world = await worldOf(context, manifests, options);
  const { steps, problems } = await planOf(world, reading);
  const refused = await checkAll(world, steps);
  refuse([...problems, ...refused.problems], refused.requestId);
  const isDry = options.isSet('dryRun');
  const surplus = options.isSet('prune') ? await surplusOf(world, manifests, selectorOf(options)) : [];
  if (isDry) {
    for (const step of steps) reportPlanned(ui, step);
    for (const { kind, name } of surplus)
      ui.item(pruned(kind, name), `${kind.kind.toLowerCase()}/${name} would be deleted`);
    return;
  }
  if (surplus.length > 0) {
    const names = surplus.map(({ kind, name }) => `${kind.kind.toLowerCase()}/${name}`).join(', ');
    await confirm(context.io, `Deleting ${names}`, options.isSet('yes'));
  }
  for (const step of steps) await carryOut(world, step);
  if (options.isSet('wait')) await waitForAll(world, steps, options);
  const removeOne = createRemover(world, options, false);
  for (const { kind, name, id } of surplus) {
    await removeOne(kind, { id, name, labels: {}, spec: {}, object: undefined });
    ui.item(pruned(kind, name), `${kind.kind.toLowerCase()}/${name} deleted`);
  }
}

/** Shows what applying would change; ends with code 1 if anything. That code says nothing else, so a failure has another one. */
export async function diff(context: Context, call: Call): Promise<void> {
  const differs = await compare(context, call).catch((error: unknown) => {
    const failure = failureOf(error, { ...context.io, profile: context.choice.profile });
    throw failWith(failure.exit === 'failed' ? { ...failure, exit: 'notCompared' } : failure);
  });
  if (differs) throw fail('differs', '');
}

/** Shows what differs, and answers whether anything does. */
async function compare(context: Context, { options }: Call): Promise<boolean> {
  const reading = await readManifests(context.io, options.list('file'));
  const world = await worldOf(context, reading.manifests, options);
  const { steps, problems } = await planOf(world, reading);
  refuse(problems);
  const different = steps.filter(({ action }) => action !== 'unchanged');
  for (const step of different) reportPlanned(context.ui, step);
  context.ui.note(`${different.length} of ${steps.length} objects differ.`);
  return different.length > 0;
}

/** Deletes what the manifests name, the last ones first. */
export async function remove(context: Context, { options }: Call): Promise<void> {
  const { ui } = context;
  const { manifests, problems } = await readManifests(context.io, options.list('file'));
  refuse(problems);
  const world = await worldOf(context, manifests, options);
  const steps = inOrder(manifests.map((manifest) => ({ manifest, kind: kindOf(manifest) }))).reverse();
  const removeOne = createRemover(world, options, options.isSet('wait'));
  for (const { kind, manifest } of steps) {
    const { name } = manifest;
    const title = titleOf({ kind, manifest });
    const found = await kind.find(world, manifest);
    if (!found) {
      ui.item({ kind: kind.kind, name, action: 'missing' }, `${title} does not exist`);
      continue;
    }
    await removeOne(kind, found);
    ui.item({ kind: kind.kind, name, action: 'deleted' }, `${title} deleted`);
  }
}

/** Deletes one object after the other. A secret is in use until the networks that refer to it are gone. */
function createRemover(world: World, options: Call['options'], isAwaited: boolean) {
  const leaving: Wait[] = [];
  const untilGone = async () => {
    for (const wait of leaving.splice(0)) await waitUntil(world.context, wait, options);
  };
  return async (kind: Kind, found: Found): Promise<void> => {
    if (kind === secretKind) await untilGone();
    await kind.remove(world, found);
    const wait = kind.removalWait?.(world, found);
    if (wait) leaving.push(wait);
    if (isAwaited) await untilGone();
  };
}

async function worldOf(
  context: Context,
  manifests: readonly Manifest[],
  options: Call['options'],
): Promise<World> {
  const planned = new Set(manifests.filter(({ kind }) => kind === 'Network').map(({ name }) => name));
  return { context, options, client: await context.client(), signal: context.io.signal, planned };
}

async function carryOut(world: World, step: Step): Promise<void> {
  const { ui } = world.context;
  const object = await performed(world, step).catch((error: unknown) => {
    throw placed(error, step);
  });
  reportDone(ui, step, object);
}

async function performed(world: World, { action, kind, manifest, found, changes }: Step): Promise<unknown> {
  if (action === 'create') return kind.create(world, manifest);
  if (action === 'update' && found) return kind.update(world, { manifest, found, changes });
  return found?.object;
}

async function waitForAll(world: World, steps: readonly Step[], options: Call['options']): Promise<void> {
  for (const { kind, manifest } of steps) {
    if (!kind.wait) continue;
    const found = await kind.find(world, manifest);
    if (found) await waitUntil(world.context, kind.wait(world, found), options);
  }
}

interface Surplus {
  kind: Kind;
  id: Found['id'];
  name: string;
}

/** What has the labels and is in no manifest. */
async function surplusOf(world: World, manifests: readonly Manifest[], selector: string): Promise<Surplus[]> {
  const isNamed = (kind: string, name: string) =>
    manifests.some((one) => one.kind === kind && one.name === name);
  const surplus: Surplus[] = [];
  // Later kinds refer to earlier ones.
  for (const kind of kinds.toReversed()) {
    for await (const { id, name } of kind.labelled(world, selector)) {
      if (!isNamed(kind.kind, name)) surplus.push({ kind, id, name });
    }
  }
  return surplus;
}

function selectorOf(options: Call['options']): string {
  const labels = Object.entries(options.pairs('label') ?? {});
  if (labels.length === 0)
    throw fail('usage', '--prune needs a label.', 'Add -l key=value, which your manifests carry.');
  return labels.map(([key, value]) => `metadata.labels.${key} == "${value}"`).join(' && ');
}

const pruned = (kind: Kind, name: string) => ({ kind: kind.kind, name, action: 'pruned' });
