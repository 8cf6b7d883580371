import type { texts } from './texts.ts';

/** Something that can be opened. */
export interface Result {
  key: string;
  kind: keyof typeof texts.kinds;
  title: string;
  /** What tells it from others of its name. */
  detail: string;
  /** What it is found by, too. */
  also?: string;
  path: string;
}
