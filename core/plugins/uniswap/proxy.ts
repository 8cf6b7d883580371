import { getCreate2Address, keccak256 } from 'ethers';
import type { TokenContract } from '../../deploy/artifacts.ts';
import { readsCode } from '../../deploy/reads.ts';
import type { CallStep, StepId } from '../../deploy/step.ts';
import type { StepOwner } from '../../deploy/steps.ts';

/** The deterministic deployment proxy, at the same address on every chain. Its input is a salt and init code. */
const proxy = '0x4e59b44847b379578588920cA78FbF26c0B4956C';

/** A contract whose address follows from its init code and a salt, so that it is the same on every chain. */
export interface FixedContract {
  /** The name of its step, and of its address in the status. */
  name: string;
  contract: TokenContract;
  /** 32 bytes, 0x-prefixed. */
  salt: string;
}

export const addressOf = ({ contract, salt }: FixedContract): string => addressFrom(contract.bytecode, salt);

/** Where the proxy puts the contract with this init code. */
export const addressFrom = (bytecode: string, salt: string): string =>
  getCreate2Address(proxy, salt, keccak256(bytecode));

/** Deploys the contract through the proxy, unless somebody has done so: anybody gets the same code to the same address. */
export function deployFixed(owner: StepOwner, fixed: FixedContract, after: readonly StepId[] = []): CallStep {
  const { name, contract, salt } = fixed;
  const address = addressOf(fixed);
  return {
    kind: 'call',
    network: owner.network.id,
    scope: owner.scope,
    signer: owner.signer,
    name,
    title: `deploys ${name} at ${address}`,
    after,
    transaction: () => ({ to: proxy, data: `${salt}${contract.bytecode.slice(2)}` }),
    reads: () => [readsCode(address)],
  };
}
