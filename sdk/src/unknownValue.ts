import type { UnknownValue } from './generated/types.ts';

/** A value that is known at run time alone, or that a later version of the service takes: the service judges it. */
export function unknownValue(text: string): UnknownValue {
  return text as UnknownValue;
}
