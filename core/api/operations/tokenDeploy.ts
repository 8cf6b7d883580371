import { tokenSchema } from '../rest/token.ts';
import {
  deployCctBurnMintSchema,
  deployCctLockReleaseSchema,
  deployErc20Schema,
  deployErc3643Schema,
  deployOftSchema,
} from '../rest/tokenDeploy.ts';
import type { Operation } from './operation.ts';

const deploy = {
  method: 'POST',
  api: 'transaction',
  description: 'Returns immediately; read the token to follow its deployments.',
  success: { status: 201, schema: tokenSchema, description: 'The token; its deployments are in progress.' },
  errors: [400],
  permission: 'tokens:write',
} as const;

export const tokenDeployOperations = {
  deployErc20: {
    ...deploy,
    path: '/v1alpha1/transaction/token/erc20/deploy',
    summary: 'Deploy an ERC20 token',
    body: deployErc20Schema,
  },
  deployCctLockRelease: {
    ...deploy,
    path: '/v1alpha1/transaction/token/cct/lock-release/deploy',
    summary: 'Deploy a lock-release cross-chain token',
    body: deployCctLockReleaseSchema,
  },
  deployCctBurnMint: {
    ...deploy,
    path: '/v1alpha1/transaction/token/cct/burn-mint/deploy',
    summary: 'Deploy a burn-mint cross-chain token',
    body: deployCctBurnMintSchema,
  },
  deployErc3643: {
    ...deploy,
    path: '/v1alpha1/transaction/token/erc3643/deploy',
    summary: 'Deploy an ERC3643 token',
    body: deployErc3643Schema,
  },
  deployOft: {
    ...deploy,
    path: '/v1alpha1/transaction/token/oft/deploy',
    summary: 'Deploy an OFT token',
    body: deployOftSchema,
  },
} as const satisfies Record<string, Operation>;
