/** How many blocks to read per step: as many as give a few megabytes and take a few seconds. */
export interface Window {
  size(): number;
  /** The last step read about this many bytes, and took this long. */
  learn(bytes: number, tookMs: number): void;
  /** The last step failed. */
  shrink(): void;
}

const most = 200;
const muchBytes = 4_000_000;
const littleBytes = 1_000_000;
const longMs = 4_000;
const shortMs = 1_000;

export function createWindow(): Window {
  // Blocks of a busy chain hold megabytes, and many recordings may begin at once.
  let blocks = 8;
  const halve = () => {
    blocks = Math.max(1, Math.floor(blocks / 2));
  };
  return {
    size: () => blocks,
    learn(bytes, tookMs) {
      if (bytes > muchBytes || tookMs > longMs) halve();
      if (bytes < littleBytes && tookMs < shortMs) blocks = Math.min(most, blocks * 2);
    },
    shrink: halve,
  };
}
