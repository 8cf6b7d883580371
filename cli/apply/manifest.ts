import type { Members } from '../lib/values.ts';

/** One object of a manifest, as kubectl takes it. */
export interface Manifest {
  kind: string;
  name: string;
  labels: Record<string, string>;
  spec: Members;
  file: string;
  /** File and line, for messages. */
  place: string;
  /** Its place among all documents and objects. */
  position: number;
  /** The line of a field, such as `spec.chain.type`; undefined when the text has none. */
  lineOf(path: string): number | undefined;
}
