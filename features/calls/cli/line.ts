import type { Call } from '../../../sdk/src/generated/types.ts';

const shownLength = 80;

/** Method and parameters, as far as a line has room for them; --json has all. */
export function calledOf({ method = '(no valid call)', params = '' }: Call): string {
  const text = `${method} ${params}`.trim();
  return text.length > shownLength ? `${text.slice(0, shownLength - 1)}…` : text;
}

/** `ok`, or why a call failed. */
export function outcomeOf({ error }: Call): string {
  if (!error) return 'ok';
  return error.code === undefined ? error.message : `${error.code} ${error.message}`;
}
