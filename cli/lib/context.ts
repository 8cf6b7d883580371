import type { ChainClient } from '../../mcp/chain.ts';
import type { Settings } from '../config/settings.ts';
import type { Io } from '../io/io.ts';
import type { Ui } from '../io/ui.ts';

/** What every command works with. */
export interface Context {
  io: Io;
  ui: Ui;
  /** The completion script for a shell; undefined when there is none. */
  completionFor(shell: string): string | undefined;
  /** The name that the user calls the program by. */
  program: string;
  /** From the command line or the environment; the profile's own comes with `settings`. */
  choice: { profile?: string | undefined; workspace?: string | undefined };
  /** Where requests go; throws a failure when nobody is signed in. */
  settings(): Promise<Settings>;
  /** The client of the SDK for these settings. */
  client(): Promise<ChainClient>;
  /** The address that has this name in the workspace; undefined if none has. */
  addressNamed(name: string): Promise<string | undefined>;
}
