/** One write and what became of it. */
export interface Entry {
  kind: string;
  /** The unique value by which the write's effects are counted. */
  mark: string;
  /** The id of what was acknowledged, e.g. a network's id or a transaction's hash. */
  id: string;
}

/** The number of times that an acknowledged write exists: 1 is right, 0 is lost, more is doubled. */
export type CountEffects = (entry: Entry) => Promise<number>;

export interface Verdict {
  acknowledged: number;
  lost: string[];
  doubled: string[];
}

/** Every write that the service acknowledged. */
export function createLedger() {
  const entries: Entry[] = [];
  return {
    add: (entry: Entry) => void entries.push(entry),
    size: () => entries.length,
    entries: (): readonly Entry[] => entries,
  };
}

export type Ledger = ReturnType<typeof createLedger>;

/** Counts the effects of all entries, `width` at a time. */
export async function judgeLedger(ledger: Ledger, countEffects: CountEffects, width = 8): Promise<Verdict> {
  const verdict: Verdict = { acknowledged: ledger.size(), lost: [], doubled: [] };
  const left = ledger.entries().values();
  const run = async () => {
    for (const entry of left) {
      const count = await countEffects(entry);
      const name = `${entry.kind} ${entry.mark}`;
      if (count === 0) verdict.lost.push(name);
      if (count > 1) verdict.doubled.push(`${name} (${count} times)`);
    }
  };
  await Promise.all(Array.from({ length: width }, run));
  return verdict;
}
