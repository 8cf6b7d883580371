import { keysOfMnemonic } from '../accounts/keys.ts';
import type { ChainSpec } from '../api/resources/network.ts';

const phrase = 'test test test test test test test test test test test junk';
const count = 10;

let derived: { address: string; privateKey: string }[] | undefined;

/**
 * The accounts that Foundry's anvil and Hardhat fund on their own chains, whose keys are in the documentation of both. Derived
 * once, because that takes milliseconds.
 */
export function developmentAccounts(): readonly { address: string; privateKey: string }[] {
  derived ??= keysOfMnemonic(Buffer.from(phrase), count);
  return derived;
}

/** Whether a chain begins with funds for them. */
export function fundsDevelopmentAccounts(chain: ChainSpec): boolean {
  return Object.values(chain).some(
    (spec) => typeof spec === 'object' && 'developmentAccounts' in spec && spec.developmentAccounts === true,
  );
}
