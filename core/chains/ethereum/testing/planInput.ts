import { engineNames } from '../../../api/engines.ts';
import type { EthereumSpec } from '../../../api/resources/chainSpecs.ts';
import { aSetOf } from '../../../engines/testing/engineSets.ts';
import type { PlanInput } from '../../driver.ts';
import { planContext } from '../../testing/planContext.ts';

/** Every engine, with an image of the same name. */
export const allEngines = aSetOf(
  Object.fromEntries(engineNames.map((name) => [name, { allowedImages: [`${name}:*`, `mirror/${name}:2`] }])),
);

/** The input of an Ethereum network's plan, for tests. */
export function inputOf(spec: Partial<EthereumSpec>, others: Partial<PlanInput> = {}): PlanInput {
  return {
    chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'key' }, participants: [{}], ...spec } },
    chainId: '1100000001',
    hotAddress: '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A',
    mnemonicAddresses: [],
    genesisTime: 1_900_000_000,
    ...planContext,
    ...others,
  };
}
