import type { Kind } from './apply/kind.ts';
import type { CommandSpec } from './lib/spec.ts';

/** What a feature adds to the command line. It is exported as `feature` by the cli/feature.ts of its folder. */
export interface CliFeature {
  commands?: readonly CommandSpec[];
  /** Commands below `slipway network`. */
  networkCommands?: readonly CommandSpec[];
  /** Kinds that `slipway apply` can apply. */
  kinds?: readonly Kind[];
}
