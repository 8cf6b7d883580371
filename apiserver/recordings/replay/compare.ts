import type { RecordedTransaction, ReplayedTransaction } from '../../../core/api/replay.ts';

/** How a replayed transaction was mined. */
export interface Outcome {
  status: 'success' | 'reverted';
  gasUsed: number;
  contractAddress?: string | undefined;
  /** Undefined when it was not looked at, or the node does not tell. */
  created?: string[] | undefined;
}

/**
 * Addresses differ, and with them the zeros in calldata and the order in which contracts sort them: a share of the gas,
 * and as much as a write to storage, are no difference.
 */
const gasShare = 0.05;
const gasSlack = 2_500;

/** The ways in which an outcome differs from the recorded one; none when it matches. */
export function differencesOf(recorded: RecordedTransaction, outcome: Outcome): string[] {
  const differences: string[] = [];
  if (outcome.status !== recorded.status) {
    differences.push(`status: ${outcome.status}, recorded: ${recorded.status}`);
  }
  const [had, has] = [recorded.contract_address, outcome.contractAddress].map(
    (address) => address !== undefined,
  );
  if (had !== has)
    differences.push(`contract: ${has ? 'created' : 'none'}, recorded: ${had ? 'created' : 'none'}`);
  const former = recorded.created_contracts?.length ?? 0;
  if (outcome.created && outcome.created.length !== former) {
    differences.push(`created contracts: ${outcome.created.length}, recorded: ${former}`);
  }
  if (recorded.gas_used !== undefined && isFar(recorded.gas_used, outcome.gasUsed)) {
    differences.push(`gas used: ${outcome.gasUsed}, recorded: ${recorded.gas_used}`);
  }
  return differences;
}

function isFar(recorded: number, replayed: number): boolean {
  return Math.abs(replayed - recorded) > Math.max(gasSlack, recorded * gasShare);
}

/** What is answered of a transaction that was mined. */
export function toReplayed(
  recorded: RecordedTransaction,
  hash: string,
  outcome: Outcome,
): ReplayedTransaction {
  const differences = differencesOf(recorded, outcome);
  return {
    original_hash: recorded.hash,
    hash,
    status: outcome.status,
    match: differences.length === 0,
    ...(differences.length === 0 ? {} : { differences }),
    gas_used: outcome.gasUsed,
    ...(outcome.contractAddress === undefined ? {} : { contract_address: outcome.contractAddress }),
    ...(outcome.created?.length ? { created_contracts: outcome.created } : {}),
  };
}

/** What is answered of one that was not mined: not sent, or not seen in a block in time. */
export function toUnmined(recorded: RecordedTransaction, reason: string, hash?: string): ReplayedTransaction {
  return {
    original_hash: recorded.hash,
    ...(hash === undefined ? {} : { hash }),
    status: hash === undefined ? 'skipped' : 'pending',
    match: false,
    differences: [reason],
  };
}
