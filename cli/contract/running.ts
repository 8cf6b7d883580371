import type { Network } from '../../sdk/src/generated/types.ts';
import { isSlipwayError } from '../lib/client.ts';
import { failWith } from '../lib/failure.ts';

/** What a read of a chain answers. The refusal of a network that does not run names the command that starts it. */
export async function whileRunning<T>({ name }: Pick<Network, 'name'>, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!isSlipwayError(error, 'Conflict')) throw error;
    const { message, reason, requestId } = error;
    throw failWith({
      exit: 'conflict',
      message,
      remedy: `Run: slipway network wake ${name} --wait`,
      reason,
      requestId,
    });
  }
}
