import type { Answer } from './harness.ts';

/** Sends sixteen requests at once, to the replicas in turn. */
export async function sixteen<R>(
  replicas: readonly [R, R],
  send: (replica: R, n: number) => Promise<Answer>,
): Promise<Answer[]> {
  const [one, two] = replicas;
  return Promise.all(Array.from({ length: 16 }, (_, n) => send(n % 2 ? one : two, n)));
}

/** How often each status was answered. */
export function countsOf(answers: readonly Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
