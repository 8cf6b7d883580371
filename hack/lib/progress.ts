import { formatDuration, truncate } from './format.ts';

/** How often a long step prints a line when the output is not a terminal. */
const SILENT_INTERVAL_MS = 15_000;
const TICK_INTERVAL_MS = 200;
const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/** Reports what a step is currently doing; shown next to its title. */
export type Note = (detail: string) => void;

interface RunningStep {
  title: string;
  detail: string;
  startedMs: number;
}

const running: RunningStep[] = [];
let ticker: NodeJS.Timeout | undefined;
let tickCount = 0;

// A closed pipe (`make up | head`) must not abort the work.
process.stdout.on('error', () => undefined);

/** Prints one line above the status line. */
export function say(line: string): void {
  clearStatusLine();
  process.stdout.write(`${line}\n`);
}

/**
 * Runs `work` as one visible step and prints its title, elapsed time and outcome: as a live status line on a
 * terminal, otherwise as a line every 15 seconds. Steps may run in parallel.
 * If `work` throws, the step is shown as failed and the error is rethrown.
 */
export async function step<T>(title: string, work: (note: Note) => Promise<T>): Promise<T> {
  const entry: RunningStep = { title, detail: '', startedMs: Date.now() };
  start(entry);
  try {
    const result = await work((detail) => {
      entry.detail = detail.replace(/[\p{Cc}\s]+/gu, ' ');
    });
    finish(entry, '✓');
    return result;
  } catch (error) {
    finish(entry, '✗');
    throw error;
  }
}

function start(entry: RunningStep): void {
  running.push(entry);
  if (!process.stdout.isTTY) say(`→ ${entry.title}`);
  ticker ??= setInterval(tick, process.stdout.isTTY ? TICK_INTERVAL_MS : SILENT_INTERVAL_MS);
}

function finish(entry: RunningStep, mark: string): void {
  running.splice(running.indexOf(entry), 1);
  say(`${mark} ${entry.title} (${elapsed(entry)})`);
  if (running.length > 0) return;
  clearInterval(ticker);
  ticker = undefined;
}

function tick(): void {
  tickCount += 1;
  if (!process.stdout.isTTY) {
    for (const entry of running) say(`  … ${describe(entry)}`);
    return;
  }
  const frame = SPINNER[tickCount % SPINNER.length];
  const line = `${frame} ${running.map(describe).join(' | ')}`;
  process.stdout.write(`\r\x1b[2K${truncate(line, (process.stdout.columns || 80) - 1)}`);
}

function describe(entry: RunningStep): string {
  return `${entry.title} (${elapsed(entry)})${entry.detail ? `: ${entry.detail}` : ''}`;
}

function elapsed(entry: RunningStep): string {
  return formatDuration(Date.now() - entry.startedMs);
}

function clearStatusLine(): void {
  if (process.stdout.isTTY && ticker) process.stdout.write('\r\x1b[2K');
}
