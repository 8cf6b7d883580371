import type { ChainReads } from '../mcp/chain.ts';
import type { Kind } from './apply/kind.ts';
import type { Client } from './lib/client.ts';
import type { Context } from './lib/context.ts';
import type { CommandSpec } from './lib/spec.ts';

/** What can be named: by its symbol, name or id, whichever it has first. */
export interface Listed {
  id?: string;
  name?: string | undefined;
  symbol?: string | undefined;
}

/** What there is to be named, by what an argument calls it: `<network>`. */
export type Lists = Readonly<Record<string, (client: Client) => AsyncIterable<Listed>>>;

/** What a feature adds to the command line. It is exported as `feature` by the cli/feature.ts of its folder. */
export interface CliFeature {
  commands?: readonly CommandSpec[];
  /** An API key of this machine's own, for "slipway login". Undefined if the installation at `url` gives none. */
  keyOfMachine?(context: Context, url: string): Promise<string | undefined>;
  /** The address that has this name in the workspace; undefined if none has. */
  addressNamed?(client: Client, name: string, signal: AbortSignal): Promise<string | undefined>;
  chainOf?(client: Client): ChainReads;
  /** Commands below `slipway network`. */
  networkCommands?: readonly CommandSpec[];
  /** Commands below `slipway contract`. */
  contractCommands?: readonly CommandSpec[];
  /** What completion offers for arguments of its commands. */
  named?: Lists;
  /** Kinds that `slipway apply` can apply. */
  kinds?: readonly Kind[];
}
