import { hotBalance, memberBalance, mnemonicBalance } from '../../../accounts/hotKeys.ts';
import { toQuantity } from '../../../lib/text/quantity.ts';
import type { PlanInput } from '../../driver.ts';
import { systemAccountsOf } from '../../systemAccounts.ts';
import type { EvmChain, Placement } from '../chain.ts';
import { placedAccounts } from '../state.ts';

/** An account of a genesis in geth's format. */
export interface GenesisAccount {
  balance: string;
  nonce?: string;
  code?: string;
  storage?: Readonly<Record<string, string>>;
}

/** Deployed on almost every chain, or required by the rules of Cancun and Prague: EIP-4788, EIP-2935. */
const usual = [
  '0x000F3df6D732807Ef1319fB7B8bB8522d0Beac02',
  '0x0000F90827F1C53a10cb7A02335B175320002935',
  '0x4e59b44847b379578588920cA78FbF26c0B4956C',
] as const;

/** The genesis state: the chain's contracts, with further ones of the client, and the funded accounts. */
export function allocationOf(
  { contracts }: Pick<EvmChain, 'contracts'>,
  input: PlanInput,
  further: readonly Placement[] = [],
): Record<string, GenesisAccount> {
  const { systemContracts, hotAddress } = input;
  const placements = systemContracts ? [...contracts, ...further] : [];
  const allocation: Record<string, GenesisAccount> = {};
  const placed = { ...systemAccountsOf(usual), ...placedAccounts(placements, systemContracts ?? {}) };
  for (const [address, { nonce, code, storage }] of Object.entries(placed)) {
    allocation[address] = { balance: '0x0', nonce: toQuantity(nonce), code, storage };
  }
  for (const address of input.memberAddresses ?? [])
    allocation[address] = { balance: toQuantity(memberBalance) };
  for (const address of input.mnemonicAddresses)
    allocation[address] = { balance: toQuantity(mnemonicBalance) };
  if (hotAddress) allocation[hotAddress] = { balance: toQuantity(hotBalance) };
  return allocation;
}

/** The rules that all clients that derive from geth have from the first block on. */
export const rulesUntilLondon = {
  homesteadBlock: 0,
  eip150Block: 0,
  eip155Block: 0,
  eip158Block: 0,
  byzantiumBlock: 0,
  constantinopleBlock: 0,
  petersburgBlock: 0,
  istanbulBlock: 0,
  muirGlacierBlock: 0,
  berlinBlock: 0,
  londonBlock: 0,
};

/** The fields of a first block that are the same for all clients. */
export const emptyBlock = {
  nonce: '0x0',
  mixHash: `0x${'0'.repeat(64)}`,
  number: '0x0',
  gasUsed: '0x0',
  parentHash: `0x${'0'.repeat(64)}`,
};
