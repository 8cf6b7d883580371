import { Wallet } from 'ethers';
import { systemContractsForTests } from '../../../hack/contracts/forTests.ts';
import type { EthereumSpec } from '../../api/resources/chainSpecs.ts';
import { inputOf } from '../../chains/ethereum/testing/planInput.ts';
import { connectTestChain, type TestChain } from '../../chains/evm/testing/testChain.ts';
import { driverOf } from '../../chains/registry.ts';
import { type RunningPlan, runPlan, skipReasonOf } from '../../chains/testing/runPlan.ts';

/** Why participants cannot run here; undefined if they can. */
export const participantsSkipReason = skipReasonOf('geth', 'prysm', 'prysm-validator', 'ethereum-genesis');

/** Time for the processes to start before the genesis. */
const leadSeconds = 8;

/** A network with one participant, geth and prysm, as its pods would run it. The named accounts are in its genesis. */
export async function startParticipants(
  spec: Partial<EthereumSpec>,
  memberAddresses: readonly string[] = [],
): Promise<{ chain: TestChain; running: RunningPlan }> {
  const input = inputOf(spec, {
    hotAddress: new Wallet(`0x${'5e'.repeat(32)}`).address,
    genesisTime: Math.floor(Date.now() / 1000) + leadSeconds,
    memberAddresses,
    systemContracts: systemContractsForTests(),
  });
  const plan = driverOf('Ethereum')?.plan(input);
  if (!plan) throw new Error('there is no driver for Ethereum');
  const running = await runPlan(plan, input.chainId);
  return { running, chain: connectTestChain(running, { chainId: input.chainId }) };
}
