import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** Collects all garbage. Twice, because the memory of what the first collection finds is returned before the second one begins. */
export function collectGarbage(): void {
  collect();
  collect();
}
