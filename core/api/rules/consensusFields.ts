import { hasParticipants } from '../resources/chainSpecs.ts';
import type { ChainSpec } from '../resources/network.ts';

/** Members of an Ethereum spec about its beacon chain, which only a network with participants has. */
export const consensusFields = [
  'churnLimitQuotient',
  'ejectionBalance',
  'followDistance',
  'minWithdrawalDelay',
  'shardCommitteePeriod',
  'validatorCount',
] as const;

/** Says which members of a spec have no effect without participants; undefined when each has one. */
export function consensusCaveat({ ethereum }: ChainSpec): string | undefined {
  if (!ethereum || hasParticipants({ ethereum })) return undefined;
  const given = consensusFields.filter((name) => ethereum[name] !== undefined);
  if (given.length === 0) return undefined;
  const verb = given.length === 1 ? 'has' : 'have';
  return `${given.join(', ')} ${verb} no effect without spec.chain.ethereum.participants, because there is no beacon chain`;
}
