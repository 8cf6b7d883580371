import { type ExitName, type Failure, failureIn, failWith } from '../lib/failure.ts';

/** What is wrong with an object of the manifests. */
export interface Problem {
  /** The place of its document or object among all. */
  position: number;
  /** As compilers name places: `net.yaml:7: network/a: spec.chain.type`. */
  path: string;
  message: string;
  remedy?: string | undefined;
  exit: ExitName;
}

/** The error for an object at a place: as a failure of its own, or as one of several problems. */
export function wrongAt(place: string, message: string, remedy: string): Error {
  const details = [{ path: place, message }];
  return failWith({ exit: 'usage', message: `${place}: ${message}`, remedy, details });
}

/** The problem that `error` says; throws any other error. */
export function problemIn(error: unknown, position: number): Problem {
  const failure = failureIn(error);
  if (!failure) throw error;
  const { exit, message, remedy, details: [detail = { path: '', message }] = [] } = failure;
  return { position, exit, remedy, path: detail.path, message: detail.message };
}

/** Throws all problems at once, in the order of the manifests; nothing was changed then. */
export function refuse(problems: readonly Problem[], requestId?: string): void {
  const [first, ...others] = problems;
  if (!first) return;
  const isLocal = requestId === undefined;
  if (isLocal && others.length === 0) {
    const { exit, path, message, remedy = 'Nothing was changed.' } = first;
    throw failWith({ exit, message: [path, message].filter(Boolean).join(': '), remedy });
  }
  const details: Failure['details'] = problems
    .toSorted((one, other) => one.position - other.position)
    .map(({ path, message, remedy }) => ({ path, message: [message, remedy].filter(Boolean).join(' ') }));
  throw failWith({
    exit: exitOf(problems),
    message: `${countOf(problems)} Nothing was changed.`,
    details,
    requestId,
  });
}

function countOf(problems: readonly Problem[]): string {
  if (problems.some(({ exit }) => exit !== 'failed')) return `${problems.length} mistakes.`;
  return problems.length === 1 ? 'One field is refused.' : `${problems.length} fields are refused.`;
}

function exitOf(problems: readonly Problem[]): ExitName {
  const exits = problems.map(({ exit }) => exit);
  return (['usage', 'notFound', 'conflict'] as const).find((one) => exits.includes(one)) ?? 'failed';
}
