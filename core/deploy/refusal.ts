import { isRevert } from '../evm/contractCalls.ts';
import { compact } from '../lib/compact.ts';
import { toQuantity } from '../lib/text/quantity.ts';
import type { TokenChain } from './ports.ts';
import { explainRevert } from './reverts.ts';
import type { PerformContext } from './runContext.ts';
import type { CallStep, CreateStep, Transaction } from './step.ts';

/** Why the chain would refuse a transaction now; undefined when it would not. */
export async function findRefusal(
  step: CreateStep | CallStep,
  transaction: Transaction | undefined,
  { chain, ports, abis }: Pick<PerformContext, 'ports' | 'abis'> & { chain: TokenChain },
): Promise<string | undefined> {
  if (!transaction) return undefined;
  const { to, data, value } = transaction;
  const request = {
    from: ports.accounts[step.signer],
    data,
    ...compact({ to }),
    ...(value ? { value: toQuantity(value) } : {}),
  };
  try {
    await chain.call('eth_call', [request, 'latest']);
    return undefined;
  } catch (error) {
    if (isRevert(error)) return explainRevert(error, abis);
    throw error;
  }
}
