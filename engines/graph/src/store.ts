import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addressOf, isCid } from './cid.ts';

export interface Budgets {
  files: number;
  bytes: number;
}

/** A file would exceed a budget. */
interface Refusal {
  refused: string;
}

interface Stored {
  cid: string;
  /** Of its tree in IPFS, as Kubo reports it. */
  size: number;
}

/** Files by their CID. */
export interface Store {
  add(content: Uint8Array): Stored | Refusal;
  /** The file; undefined if it was never added, or if `cid` is not a CIDv0. */
  read(cid: string): Buffer | undefined;
}

const draftName = '.draft';

/** The store of a folder, in which each file has its CID as its name: graph-node reads them there. */
export function openStore(folder: string, budgets: Budgets): Store {
  mkdirSync(folder, { recursive: true });
  rmSync(join(folder, draftName), { force: true });
  const sizes = new Map(
    readdirSync(folder)
      .filter(isCid)
      .map((name) => [name, statSync(join(folder, name)).size]),
  );
  let bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);

  function add(content: Uint8Array): Stored | Refusal {
    const stored = addressOf(content);
    if (sizes.has(stored.cid)) return stored;
    const refused = refusalOf(budgets, sizes.size + 1, bytes + content.length);
    if (refused !== undefined) return { refused };
    // The rename is atomic, so a file with a CID as its name is whole.
    writeFileSync(join(folder, draftName), content, { flush: true });
    renameSync(join(folder, draftName), join(folder, stored.cid));
    sizes.set(stored.cid, content.length);
    bytes += content.length;
    return stored;
  }

  const read = (cid: string) => (sizes.has(cid) ? readFileSync(join(folder, cid)) : undefined);
  return { add, read };
}

const remedy = 'reset the network (ResetState) to begin with an empty store';

function refusalOf(budgets: Budgets, files: number, bytes: number): string | undefined {
  if (files > budgets.files) return `the store is full: it holds at most ${budgets.files} files; ${remedy}`;
  if (bytes > budgets.bytes) return `the store is full: it holds at most ${budgets.bytes} bytes; ${remedy}`;
  return undefined;
}
