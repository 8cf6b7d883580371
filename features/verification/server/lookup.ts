import type { ContractPlace } from '../../../apiserver/contracts.ts';
import type { ChainReader } from '../../../core/evm/chainReader.ts';
import { readDeployedCode } from '../../../core/evm/deployedCode.ts';
import type { VerifiedContractSpec } from '../api/verifiedContract.ts';
import { type ContractStore, findContract } from './contracts.ts';
import { placeOf, type VerifyRequest } from './exchange.ts';

/** A contract that is verified; undefined too if the address has other code by now, as after a revert. */
export async function findVerified(
  kube: Pick<ContractStore, 'get'>,
  place: ContractPlace,
  chain: ChainReader,
): Promise<VerifiedContractSpec['verified']> {
  const verified = (await findContract(kube, place))?.spec.verified;
  if (!verified) return undefined;
  const { codeHash } = await readDeployedCode(chain, place.address);
  return codeHash === verified.codeHash ? verified : undefined;
}

/** The contract with this attempt; undefined too if a later one of the same contract has begun. */
export async function findAttempt(kube: Pick<ContractStore, 'get'>, request: VerifyRequest, id: string) {
  const [, address, attempt] = /^(0x[0-9a-f]{40})-([0-9a-f]{16})$/.exec(id) ?? [];
  const found = address ? await findContract(kube, placeOf(request, address)) : undefined;
  return found?.spec.attempt.id === attempt ? found : undefined;
}

/** `<address>-<attempt>`: an attempt is stored with its contract. */
export function attemptIdOf(address: string, attempt: string): string {
  return `${address.toLowerCase()}-${attempt}`;
}
