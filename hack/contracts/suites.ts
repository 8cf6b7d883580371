/** Where a deployed contract comes from: one of ours by name, or files of a package. */
export type ContractSource = { own: string } | { package: string; artifact: string } | CcipSource;

/** CCIP stores ABI and bytecode in separate files, by version and name. */
interface CcipSource {
  ccip: string;
}

const trex = (path: string): ContractSource => ({
  package: '@tokenysolutions/t-rex',
  artifact: `artifacts/contracts/${path}/${path.split('/').at(-1)?.replace('.sol', '.json')}`,
});

const layerZero = (path: string): ContractSource => ({
  package: '@layerzerolabs/lz-evm-protocol-v2',
  artifact: `artifacts/contracts/${path}.sol/${path.split('/').at(-1)}.json`,
});

/** The contracts of each suite, under the names that core/tokens uses. Each suite becomes one file. */
export const contractSuites: Record<string, Record<string, ContractSource>> = {
  erc20: { CappedToken: { own: 'CappedToken' } },
  erc3643: {
    TokenImplementation: trex('token/Token.sol'),
    IdentityRegistryImplementation: trex('registry/implementation/IdentityRegistry.sol'),
    IdentityStorageImplementation: trex('registry/implementation/IdentityRegistryStorage.sol'),
    TopicsImplementation: trex('registry/implementation/ClaimTopicsRegistry.sol'),
    IssuersImplementation: trex('registry/implementation/TrustedIssuersRegistry.sol'),
    ComplianceImplementation: trex('compliance/modular/ModularCompliance.sol'),
    ImplementationAuthority: trex('proxy/authority/TREXImplementationAuthority.sol'),
    TransferRestrictModule: trex('compliance/modular/modules/TransferRestrictModule.sol'),
    ModuleProxy: trex('compliance/modular/modules/ModuleProxy.sol'),
    TokenProxy: trex('proxy/TokenProxy.sol'),
    IdentityRegistryProxy: trex('proxy/IdentityRegistryProxy.sol'),
    IdentityStorageProxy: trex('proxy/IdentityRegistryStorageProxy.sol'),
    TopicsProxy: trex('proxy/ClaimTopicsRegistryProxy.sol'),
    IssuersProxy: trex('proxy/TrustedIssuersRegistryProxy.sol'),
    ComplianceProxy: trex('proxy/ModularComplianceProxy.sol'),
    Identity: {
      package: '@tokenysolutions/t-rex',
      artifact: 'artifacts/@onchain-id/solidity/contracts/Identity.sol/Identity.json',
    },
  },
  cct: {
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
  },
  oft: { OmnichainToken: { own: 'OmnichainToken' } },
  layerzero: {
    Endpoint: layerZero('EndpointV2'),
    MessageLib: layerZero('messagelib/SimpleMessageLib'),
  },
};
