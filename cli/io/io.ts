import type { Clock } from '../../core/lib/clock.ts';

/** Where text goes. Escapes are for terminals only. */
export interface Output {
  write(text: string): void;
  readonly isTerminal: boolean;
  readonly columns: number;
}

export interface Input {
  readonly isTerminal: boolean;
  /** Everything up to the end. */
  read(): Promise<Buffer>;
  /** One line from the terminal; with `isHidden`, it is not shown while it is typed. */
  ask(question: string, isHidden?: boolean): Promise<string>;
}

/** All that a command touches beside the service, so that tests run commands in their own process. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly clock: Clock;
  /** Aborts when the user interrupts the command. */
  readonly signal: AbortSignal;
  readonly fetch: typeof fetch;
  /** Opens a page in the user's browser. */
  open(url: string): Promise<void>;
}
