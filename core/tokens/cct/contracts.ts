import type { ContractSource } from '../definition.ts';

/** Pools, router and registry are Chainlink's; the ramps behind the router and the fresh token are ours. */
export const contracts: Record<string, ContractSource> = {
  CrossChainToken: { own: 'CrossChainToken' },
  WrappedNative: { own: 'WrappedNative' },
  RiskManagement: { own: 'RiskManagement' },
  OnRamp: { own: 'OnRamp' },
  OffRamp: { own: 'OffRamp' },
  RiskManagementProxy: { ccip: 'latest/rmn_proxy_contract' },
  Router: { ccip: 'v1_2_0/router' },
  TokenAdminRegistry: { ccip: 'v1_5_0/token_admin_registry' },
  BurnMintPool: { ccip: 'v1_6_1/burn_mint_token_pool' },
  LockReleasePool: { ccip: 'v1_6_1/lock_release_token_pool' },
};
