/** Heads with a status below 200 before the answer: servers send one or two. */
export const maxInterimHeads = 16;

/** To be called with each interim head; calls `onTooMany` with one too many. */
export function countInterimHeads(onTooMany: () => void): () => void {
  let heads = 0;
  return () => {
    heads += 1;
    if (heads > maxInterimHeads) onTooMany();
  };
}
