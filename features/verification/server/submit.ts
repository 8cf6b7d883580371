import { readDeployedCode } from '../../../core/evm/deployedCode.ts';
import { placeOf, type VerifyDeps, type VerifyRequest } from './exchange.ts';
import { attemptIdOf } from './lookup.ts';
import type { Submission } from './submission.ts';

/** Starts to verify a contract and returns the id of the attempt; undefined if the address has no code. */
export async function submitContract(
  { attempts }: VerifyDeps,
  request: VerifyRequest,
  { address, submission }: { address: string; submission: Submission },
): Promise<string | undefined> {
  const { chain } = request;
  const deployed = await readDeployedCode(chain, address);
  if (deployed.code === '0x') return undefined;
  const place = placeOf(request, address);
  const attempt = await attempts.begin({ place, deployed, submission, chain, onEnd: request.keepBody() });
  return attemptIdOf(address, attempt);
}
