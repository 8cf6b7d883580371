import type { Interface } from 'ethers';
import type { TokenType } from '../api/rules/tokenArgs.ts';
import type { SuiteName, TokenContracts } from '../deploy/artifacts.ts';
import { cct } from './cct/cct.ts';
import { erc20 } from './erc20/erc20.ts';
import { erc3643 } from './erc3643/erc3643.ts';
import { oft } from './oft/oft.ts';
import type { TokenStandard } from './standard.ts';

/** Every standard of the contract. */
const standards = { ERC20: erc20, ERC3643: erc3643, CCT: cct, OFT: oft } satisfies Record<
  TokenType,
  TokenStandard
>;

export function standardOf(type: TokenType): TokenStandard {
  return standards[type];
}

/** Contracts whose errors a deployment may meet. */
const errorSources: Record<TokenType, [SuiteName, string][]> = {
  ERC20: [['erc20', 'CappedToken']],
  ERC3643: [],
  CCT: ['CrossChainToken', 'BurnMintPool', 'LockReleasePool', 'TokenAdminRegistry', 'Router'].map(
    (name): [SuiteName, string] => ['cct', name],
  ),
  OFT: [
    ['oft', 'OmnichainToken'],
    ['layerzero', 'Endpoint'],
  ],
};

/** To tell what a contract's refusal means. */
export function errorAbisOf(type: TokenType, contracts: TokenContracts): Interface[] {
  return errorSources[type].map(([suite, name]) => contracts[suite](name).abi);
}
