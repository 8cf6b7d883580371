import type { ContractSource } from '../definition.ts';

const trex = (path: string): ContractSource => ({
  package: '@tokenysolutions/t-rex',
  artifact: `artifacts/contracts/${path}/${path.split('/').at(-1)?.replace('.sol', '.json')}`,
});

/** The implementations of T-REX, the proxies in front of them, and ONCHAINID's identity. */
export const contracts: Record<string, ContractSource> = {
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
};
