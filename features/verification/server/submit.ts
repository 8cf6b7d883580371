import { readDeployedCode } from '../../../core/evm/deployedCode.ts';
import { withDeadline } from '../../../core/lib/deadline.ts';
import { placeOf, type VerifyDeps, type VerifyRequest } from './exchange.ts';
import { attemptIdOf } from './lookup.ts';
import type { Submission } from './submission.ts';

/** Most contracts compile within a second. Foundry asks at once how it went, and then not for 15 seconds. */
const waitMs = 2000;

/**
 * Starts to verify a contract and returns the id of the attempt, for a moment not before it has ended; undefined if the address has
 * no code.
 */
export async function submitContract(
  { attempts, clock }: VerifyDeps,
  request: VerifyRequest,
  { address, submission }: { address: string; submission: Submission },
): Promise<string | undefined> {
  const { chain } = request;
  const deployed = await readDeployedCode(chain, address);
  if (deployed.code === '0x') return undefined;
  const place = placeOf(request, address);
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const endBody = request.keepBody();
  const onEnd = () => {
    endBody();
    resolve();
  };
  const attempt = await attempts.begin({ place, deployed, submission, chain, onEnd });
  await withDeadline({ clock, limitMs: waitMs, onLate: () => undefined }, ended);
  return attemptIdOf(address, attempt);
}
