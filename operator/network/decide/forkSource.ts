import type { Pod } from '../../../core/kube/types.ts';
import { type PodState, podStateOf } from './podState.ts';

const shortestPart = 6;

/** The state of a pod of a network, which may be a fork. */
export function engineStateOf(pod: Pod | undefined, forkSource: string | undefined): PodState {
  return withoutForkSource(podStateOf(pod), forkSource);
}

/** A pod's state without the URL of the fork source, which may hold a key: engines name it in their last words. */
export function withoutForkSource(state: PodState, forkSource: string | undefined): PodState {
  if (forkSource === undefined) return state;
  let { message } = state;
  for (const secret of secretsOf(forkSource)) message = message.replaceAll(secret, '«fork source»');
  return { ...state, message };
}

/** The URL as it is written, and the parts in which keys lie, as programs print them by themselves. */
function secretsOf(forkSource: string): string[] {
  if (!URL.canParse(forkSource)) return [forkSource];
  const { href, pathname, search, username, password } = new URL(forkSource);
  const parts = [`${pathname}${search}`, pathname, search.slice(1), username, password];
  return [forkSource, href, ...parts.filter((part) => part.length >= shortestPart)];
}
