import { at, listAt, quantityAt, textAt } from '../fields.ts';

export interface SolanaTransaction {
  signature: string;
  slot: bigint;
  /** Seconds; 0 where the node does not say it. */
  at: number;
  isSuccess: boolean;
  /** What the node says of a failure. */
  error: string | undefined;
  fee: bigint;
  signer: string;
  instructions: { program: string; type: string | undefined; info: unknown }[];
  changes: { account: string; before: bigint; after: bigint }[];
  logs: string[];
}

/** A transaction that was asked for with jsonParsed; undefined for what is none. */
export function solanaTransactionOf(value: unknown): SolanaTransaction | undefined {
  const meta = at(value, 'meta');
  const message = at(value, 'transaction', 'message');
  const [signature] = listAt(value, 'transaction', 'signatures');
  if (typeof signature !== 'string') return undefined;
  const accounts = listAt(message, 'accountKeys').map((one) =>
    typeof one === 'string' ? one : (textAt(one, 'pubkey') ?? ''),
  );
  const amounts = (name: string) =>
    listAt(meta, name).map((amount) => quantityAt({ amount }, 'amount') ?? 0n);
  const [before, after] = [amounts('preBalances'), amounts('postBalances')];
  const failure = at(meta, 'err') ?? undefined;
  return {
    signature,
    slot: quantityAt(value, 'slot') ?? 0n,
    at: Number(quantityAt(value, 'blockTime') ?? 0n),
    isSuccess: failure === undefined,
    error: failure === undefined ? undefined : JSON.stringify(failure),
    fee: quantityAt(meta, 'fee') ?? 0n,
    signer: accounts[0] ?? '',
    instructions: listAt(message, 'instructions').map((one) => ({
      program: textAt(one, 'program') ?? textAt(one, 'programId') ?? '',
      type: textAt(one, 'parsed', 'type'),
      info: at(one, 'parsed', 'info') ?? at(one, 'parsed') ?? one,
    })),
    changes: accounts.map((account, index) => ({
      account,
      before: before[index] ?? 0n,
      after: after[index] ?? 0n,
    })),
    logs: listAt(meta, 'logMessages').filter((line) => typeof line === 'string'),
  };
}

export interface Slot {
  slot: bigint;
  hash: string;
  parent: bigint;
  at: number;
  height: bigint | undefined;
  signatures: string[];
}

/** A block that was asked for with its signatures alone. */
export function slotOf(slot: bigint, value: unknown): Slot | undefined {
  const hash = textAt(value, 'blockhash');
  if (hash === undefined) return undefined;
  return {
    slot,
    hash,
    parent: quantityAt(value, 'parentSlot') ?? 0n,
    at: Number(quantityAt(value, 'blockTime') ?? 0n),
    height: quantityAt(value, 'blockHeight'),
    signatures: listAt(value, 'signatures').filter((one) => typeof one === 'string'),
  };
}
