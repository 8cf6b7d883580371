/** How many blocks to ask for at once: as many as make an answer of a few megabytes. */
export interface Window {
  size(): number;
  /** The last answer had about so many bytes. */
  learn(bytes: number): void;
  /** The last answer did not come. */
  shrink(): void;
}

const most = 200;
const muchBytes = 4_000_000;
const littleBytes = 1_000_000;

export function createWindow(): Window {
  let blocks = 32;
  const halve = () => {
    blocks = Math.max(1, Math.floor(blocks / 2));
  };
  return {
    size: () => blocks,
    learn(bytes) {
      if (bytes > muchBytes) halve();
      if (bytes < littleBytes) blocks = Math.min(most, blocks * 2);
    },
    shrink: halve,
  };
}
