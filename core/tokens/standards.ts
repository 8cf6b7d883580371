import type { Interface } from 'ethers';
import type { TokenType } from '../api/rules/tokenArgs.ts';
import type { TokenContracts } from '../deploy/artifacts.ts';
import { AppError } from '../lib/errors.ts';
import { recordOf } from '../lib/typed.ts';
import { tokenDefinitions } from './registry.ts';
import type { TokenStandard } from './standard.ts';

/**
 * How tokens of each standard are deployed: `standard` of `steps.ts` in its folder. It is found by the name of the
 * folder, so that a standard needs no second registry: the API, which reads the definitions, must not load the steps.
 */
const standards = recordOf(
  await Promise.all(
    tokenDefinitions.map(async ({ type, folder }) => [type, await loadStandard(type, folder)] as const),
  ),
);

async function loadStandard(type: TokenType, folder: string): Promise<TokenStandard> {
  const { standard }: { standard?: TokenStandard } = await import(`./${folder}/steps.ts`);
  if (standard?.type === type) return standard;
  throw new AppError('Internal', `core/tokens/${folder}/steps.ts does not export a standard of type ${type}`);
}

export function standardOf(type: TokenType): TokenStandard {
  return standards[type];
}

/** The ABIs that explain why a contract refused. */
export function errorAbisOf(type: TokenType, contracts: TokenContracts): Interface[] {
  return standards[type].errorSources.map(([suite, name]) => contracts[suite](name).abi);
}
