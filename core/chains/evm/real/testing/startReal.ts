import { systemContractsForTests } from '../../../../../hack/contracts/forTests.ts';
import type { Layer2Spec, Layer2Type } from '../../../../api/resources/chainSpecs.ts';
import { lowerCase } from '../../../../lib/typed.ts';
import type { PlanInput } from '../../../driver.ts';
import { planContext } from '../../../testing/planContext.ts';
import { type RunningPlan, runPlan } from '../../../testing/runPlan.ts';
import { evmDrivers } from '../../drivers.ts';
import { withRealClient } from '../driver.ts';

/** Runs a Layer 2 with its real client, as its pods would. */
export function startReal(
  type: Layer2Type,
  spec: Layer2Spec,
  input: Partial<PlanInput> = {},
): Promise<RunningPlan> {
  const chainId = input.chainId ?? evmDrivers[type].generateChainId('00abcdef00');
  const plan = withRealClient(evmDrivers[type]).plan({
    chain: { type, [lowerCase(type)]: { ...spec, profile: 'real' } },
    chainId,
    mnemonicAddresses: [],
    genesisTime: Math.floor(Date.now() / 1000),
    systemContracts: systemContractsForTests(),
    ...planContext,
    ...input,
  });
  return runPlan(plan, chainId);
}
