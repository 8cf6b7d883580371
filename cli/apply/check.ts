import { isSlipwayError } from '../lib/client.ts';
import { failureIn, failWith } from '../lib/failure.ts';
import type { World } from './kind.ts';
import type { Step } from './plan.ts';
import type { Problem } from './problems.ts';
import { titleOf } from './report.ts';

/** Has the service check every object before the first one is written: all that it refuses, with files and lines. */
export async function checkAll(world: World, steps: readonly Step[]): Promise<Refusal> {
  const all: Refusal[] = [];
  for (const step of steps) all.push(await refusalOf(world, step));
  const refused = all.filter(({ problems }) => problems.length > 0);
  return { problems: refused.flatMap(({ problems }) => problems), requestId: refused[0]?.requestId };
}

interface Refusal {
  problems: Problem[];
  requestId?: string | undefined;
}

async function refusalOf(world: World, step: Step): Promise<Refusal> {
  const { action, kind, manifest, found, changes } = step;
  if (action === 'unchanged' || !kind.check) return { problems: [] };
  try {
    await kind.check(world, { manifest, found, changes });
    return { problems: [] };
  } catch (error) {
    if (!isRefusal(error)) throw placed(error, step);
    const problems = refusalsOf(error, step).filter(({ path }) => !isPlanned(world, path));
    return { problems, requestId: error.requestId };
  }
}

interface Refused {
  message: string;
  requestId?: string | undefined;
  details: readonly { path: string; message: string }[];
}

const isRefusal = (error: unknown): error is Refused =>
  isSlipwayError(error) && [400, 409, 422].includes(error.status);

function refusalsOf({ message, details }: Refused, step: Step): Problem[] {
  const { position } = step.manifest;
  if (details.length === 0) return [{ position, exit: 'failed', path: placeOf(step), message }];
  return details.map(({ path, message: text }) => ({
    position,
    exit: 'failed',
    path: placeOf(step, path),
    message: text,
  }));
}

/** What an object of the same manifests brings is not there yet. */
function isPlanned({ planned }: World, path: string): boolean {
  return planned.size > 0 && /\b(sourceRef\.name|from\.snapshot)$/.test(path);
}

/** `net.yaml:7: network/a: spec.chain.type`, as compilers name places. */
function placeOf({ kind, manifest }: Pick<Step, 'kind' | 'manifest'>, path?: string): string {
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
