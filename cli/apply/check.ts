import { isSlipwayError } from '../lib/client.ts';
import { type Failure, failureIn, failWith } from '../lib/failure.ts';
import type { World } from './kind.ts';
import type { Step } from './plan.ts';
import { titleOf } from './report.ts';

type Problem = NonNullable<Failure['details']>[number];

/**
 * Has the service check every object before the first one is written. Throws all that it refuses, with files and lines; nothing
 * was changed then.
 */
export async function checkAll(world: World, steps: readonly Step[]): Promise<void> {
  const problems: Problem[] = [];
  for (const step of steps) problems.push(...(await problemsOf(world, step)));
  if (problems.length === 0) return;
  const what = problems.length === 1 ? 'One field is' : `${problems.length} fields are`;
  throw failWith({ exit: 'failed', message: `${what} refused. Nothing was changed.`, details: problems });
}

async function problemsOf(world: World, step: Step): Promise<Problem[]> {
  const { action, kind, manifest, found, changes } = step;
  if (action === 'unchanged' || !kind.check) return [];
  try {
    await kind.check(world, { manifest, found, changes });
    return [];
  } catch (error) {
    if (!isRefusal(error)) throw placed(error, step);
    return refusalsOf(error, step).filter(({ path }) => !isPlanned(world, path));
  }
}

interface Refused {
  message: string;
  details: readonly Problem[];
}

const isRefusal = (error: unknown): error is Refused =>
  isSlipwayError(error) && [400, 409, 422].includes(error.status);

function refusalsOf({ message, details }: Refused, step: Step): Problem[] {
  if (details.length === 0) return [{ path: placeOf(step), message }];
  return details.map(({ path, message: text }) => ({ path: placeOf(step, path), message: text }));
}

/** What an object of the same manifests brings is not there yet. */
function isPlanned({ planned }: World, path: string): boolean {
  return planned.size > 0 && /\b(sourceRef\.name|from\.snapshot)$/.test(path);
}

/** `net.yaml:7: network/a: spec.chain.type`, as compilers name places. */
export function placeOf({ kind, manifest }: Pick<Step, 'kind' | 'manifest'>, path?: string): string {
  const line = path === undefined ? undefined : manifest.lineOf(path);
  const place = line === undefined ? manifest.place : `${manifest.file}:${line}`;
  return [place, titleOf({ kind, manifest }), path].filter(Boolean).join(': ');
}

/** An error about an object, which says which one. */
export function placed(error: unknown, step: Pick<Step, 'kind' | 'manifest'>): unknown {
  if (failureIn(error) || !isSlipwayError(error)) return error;
  const { message, details, requestId, reason } = error;
  return failWith({
    exit: error.status === 409 ? 'conflict' : 'failed',
    message: `${placeOf(step)}: ${message}`,
    details: details.map((one) => ({ path: placeOf(step, one.path), message: one.message })),
    requestId,
    reason,
  });
}
