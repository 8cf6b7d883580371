import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { printable } from './terminal.ts';

interface Prompt {
  from: NodeJS.ReadableStream;
  to: NodeJS.WritableStream;
  question: string;
  /** Whether what is typed is not shown. */
  isHidden: boolean;
  signal: AbortSignal;
  /** Called for Ctrl-C, which is not a signal while a line is typed. It aborts `signal`. */
  interrupt: () => void;
}

/** One line that the user types; empty when the input ends, as by Ctrl-D. Rejects once `signal` aborts. */
export async function prompt({ from, to, question, isHidden, signal, interrupt }: Prompt): Promise<string> {
  to.write(printable(question));
  // The interface echoes what is typed to its output.
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: from, output: isHidden ? silent : to, terminal: true });
  lines.on('SIGINT', interrupt);
  try {
    return await lines.question('', { signal });
  } catch (error) {
    if (signal.aborted) throw error;
    return '';
  } finally {
    lines.close();
    if (isHidden) to.write('\n');
  }
}
