import { hotBalance, memberBalance, mnemonicBalance } from '../../accounts/hotKeys.ts';
import { toQuantity } from '../../lib/text/quantity.ts';
import type { SystemContracts } from '../systemContracts.ts';
import type { Placement } from './chain.ts';

export interface FirstState {
  hotAddress?: string | undefined;
  mnemonicAddresses: readonly string[];
  memberAddresses?: readonly string[];
  placements: readonly Placement[];
  systemContracts: SystemContracts;
  /** Block values that a command line cannot set. */
  block?: { feeRecipient: string; gasLimit: number; baseFeeWei: number } | undefined;
}

export interface Account {
  nonce: number;
  balance: string;
  code: string;
  storage: Readonly<Record<string, string>>;
}

/**
 * The chain's genesis state in the format of anvil's `--state` (crates/anvil, `SerializableState`). A genesis file
 * would start the chain's clock in 1970, and on a fork it would reset the nonces of funded accounts to 0.
 * Throws Error when a placement names a system contract that does not exist.
 */
export function renderState(state: FirstState): string {
  const accounts = placedAccounts(state.placements, state.systemContracts);
  for (const address of state.memberAddresses ?? []) accounts[address] = fundedAccount(memberBalance);
  for (const address of state.mnemonicAddresses) accounts[address] = fundedAccount(mnemonicBalance);
  if (state.hotAddress) accounts[state.hotAddress] = fundedAccount(hotBalance);
  const block = state.block ? renderBlock(state.block) : null;
  return `${JSON.stringify({ accounts, block, best_block_number: block ? 0 : null }, null, 1)}\n`;
}

/** The contracts of a genesis state, by address. Throws Error when one names a system contract that does not exist. */
export function placedAccounts(
  placements: readonly Placement[],
  systemContracts: SystemContracts,
): Record<string, Account> {
  return Object.fromEntries(
    placements.map((placement) => [placement.address, placedAccount(placement, systemContracts)]),
  );
}

function placedAccount({ contract, storage = {} }: Placement, systemContracts: SystemContracts): Account {
  const code = systemContracts[contract];
  if (code === undefined) throw new Error(`system contract ${contract} does not exist`);
  return { nonce: 1, balance: '0x0', code, storage };
}

function fundedAccount(balance: bigint): Account {
  return { nonce: 0, balance: toQuantity(balance), code: '0x', storage: {} };
}

/** The engine takes the block's number, time and difficulty from here only until it mines its first block. */
function renderBlock({ feeRecipient, gasLimit, baseFeeWei }: NonNullable<FirstState['block']>) {
  return {
    number: '0x0',
    beneficiary: feeRecipient,
    timestamp: '0x0',
    gas_limit: gasLimit,
    basefee: baseFeeWei,
    difficulty: '0x0',
    prevrandao: `0x${'0'.repeat(64)}`,
    blob_excess_gas_and_price: { excess_blob_gas: 0, blob_gasprice: 1 },
    slot_num: 0,
  };
}
