import type { NetworkSpec } from '../../core/api/resources/network.ts';
import type { ErrorDetail } from '../../core/lib/errors.ts';
import type { NetworkSizeLimits } from './deps.ts';

/** The fields that make an Ethereum network larger than this installation allows. */
export function refuseSize({ chain }: NetworkSpec, limits: NetworkSizeLimits): ErrorDetail[] {
  const { participants = [], validatorCount = 0 } = chain.ethereum ?? {};
  const count = participants.reduce((sum, one) => sum + (one.count ?? 1), 0);
  const details: ErrorDetail[] = [];
  if (count > limits.participants) {
    const message = `${count} participants are too many: a network may have ${limits.participants} (quota.participants)`;
    details.push({ path: 'spec.chain.ethereum.participants', message });
  }
  if (participants.length > 0 && validatorCount > limits.validators) {
    const message = `too many validators: a network may have ${limits.validators} (quota.validators)`;
    details.push({ path: 'spec.chain.ethereum.validatorCount', message });
  }
  return details;
}
