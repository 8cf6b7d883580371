import { linesOf } from '../../sdk/src/streams/lines.ts';
import { type Client, isSlipwayError } from '../lib/client.ts';
import type { Context } from '../lib/context.ts';

export interface LogRequest {
  id: string;
  service?: string | undefined;
  tail?: number | undefined;
}

const pauseMs = 1_000;
/** How many of the last printed lines identify where a broken stream ended. */
const keptLines = 50;
const resumedTail = 10_000;

export async function readLogs({ io }: Context, client: Client, request: LogRequest): Promise<string> {
  const { id, service, tail } = request;
  const text = await client.networks.getLogs(id, { service, tail }, { signal: io.signal });
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/** Prints new lines until it is interrupted. A stream that ends, which it does at times, is taken up where it ended. */
export async function followLogs(context: Context, client: Client, request: LogRequest): Promise<void> {
  const { io, ui } = context;
  const printer = createPrinter(context);
  for (;;) {
    try {
      await printOnce(context, client, { ...request, printer });
    } catch (error) {
      if (io.signal.aborted || isRefusal(error)) throw error;
      if (isStopped(error) && !printer.hasBegun()) throw error;
      if (isStopped(error)) return ui.note('The network is no longer running.');
    }
    await io.clock.sleep(pauseMs, io.signal);
  }
}

interface Printer {
  print(lines: readonly string[]): void;
  /** The last lines that were printed. */
  last(): readonly string[];
  /** Whether a stream has been open. */
  hasBegun(): boolean;
  begin(): void;
}

function createPrinter({ ui }: Context): Printer {
  let printed: string[] = [];
  let isOpen = false;
  return {
    print(lines) {
      printed = [...printed, ...lines].slice(-keptLines);
      for (const line of lines) ui.raw(`${line}\n`);
    },
    last: () => printed,
    hasBegun: () => isOpen,
    begin: () => {
      isOpen = true;
    },
  };
}

/** Prints one stream to its end, after what was written since the one before it. */
async function printOnce(
  context: Context,
  client: Client,
  request: LogRequest & { printer: Printer },
): Promise<void> {
  const { printer, tail } = request;
  let skip = (line: string) => [line];
  if (printer.hasBegun()) {
    const text = await readLogs(context, client, { ...request, tail: resumedTail });
    const lines = text.split('\n').slice(0, -1);
    printer.print(linesAfter(lines, printer.last()));
    skip = createSkip(printer.last(), lines.length);
  }
  const lines = await follow(context, client, { ...request, tail: printer.hasBegun() ? resumedTail : tail });
  printer.begin();
  for await (const line of lines) printer.print(skip(line));
}

async function follow(
  { io }: Context,
  client: Client,
  { id, service, tail }: LogRequest,
): Promise<AsyncGenerator<string>> {
  const path = `/v1alpha/networks/${encodeURIComponent(id)}/logs`;
  const query = { service, follow: 'true', tail };
  const response = await client.open('GET', path, {
    query,
    accept: 'text/plain',
    timeoutMs: 0,
    signal: io.signal,
  });
  return linesOf(textOf(response));
}

/** The lines after the last place where `lines` continue what was printed; all of them when they do not, as after a restart. */
export function linesAfter(lines: readonly string[], printed: readonly string[]): string[] {
  if (printed.length === 0) return [...lines];
  for (let end = lines.length; end > 0; end -= 1) {
    if (endsWith(lines.slice(Math.max(0, end - printed.length), end), printed)) return lines.slice(end);
  }
  return [...lines];
}

/** Leaves out the beginning of a stream that was printed before. After `limit` lines and some, it gives up: all is new. */
export function createSkip(printed: readonly string[], limit: number): (line: string) => string[] {
  let held: string[] | undefined = printed.length > 0 ? [] : undefined;
  return (line) => {
    if (!held) return [line];
    held.push(line);
    const isEnd = endsWith(held.slice(-printed.length), printed);
    if (!isEnd && held.length <= limit + keptLines) return [];
    const lines = isEnd ? [] : held;
    held = undefined;
    return lines;
  };
}

/** Whether both end with the same lines, as far as `lines` has any. */
function endsWith(lines: readonly string[], printed: readonly string[]): boolean {
  const last = printed.slice(-lines.length);
  return lines.length > 0 && lines.every((line, index) => line === last[index]);
}

async function* textOf({ body }: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const chunk of body ?? []) yield decoder.decode(chunk, { stream: true });
}

/** What another attempt would not change. */
function isRefusal(error: unknown): boolean {
  return isSlipwayError(error) && [400, 401, 403, 404].includes(error.status);
}

/** Nothing of the network runs. */
function isStopped(error: unknown): boolean {
  return isSlipwayError(error) && error.status === 409;
}
