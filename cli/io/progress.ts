import type { Clock } from '../../core/lib/clock.ts';
import type { Output } from './io.ts';
import { printable } from './terminal.ts';

export interface Progress {
  /** Shows what happens now. The same text again shows nothing new. */
  step(text: string): void;
  /** Ends the live line, so that other text can follow. */
  end(): void;
}

interface ProgressOptions {
  out: Output;
  clock: Clock;
  /** Whether a line may be drawn again while it lasts. */
  isLive: boolean;
}

const redrawMs = 1_000;

/**
 * Steps of something that takes a while. On a terminal, the running step shows how long it lasts; elsewhere, each step is one
 * plain line when it begins.
 */
export function createProgress({ out, clock, isLive }: ProgressOptions): Progress {
  let current: { text: string; sinceMs: number } | undefined;
  let cancel: (() => void) | undefined;

  function draw(): void {
    if (!current) return;
    const seconds = Math.floor((clock.nowMs() - current.sinceMs) / 1_000);
    const line = seconds > 0 ? `${current.text} (${seconds}s)` : current.text;
    out.write(`\r\u001b[2K${line.slice(0, Math.max(20, out.columns - 1))}`);
    cancel = clock.after(redrawMs, draw, 'background');
  }

  function end(): void {
    cancel?.();
    if (current && isLive) out.write('\n');
    current = undefined;
  }

  function step(given: string): void {
    const text = printable(given);
    if (text === current?.text) return;
    end();
    current = { text, sinceMs: clock.nowMs() };
    if (isLive) draw();
    else out.write(`${text}\n`);
  }

  return { step, end };
}
