import { z } from 'zod';
import { exampleContract } from '../../api/openapi/exampleValues.ts';
import { totalSupply } from '../../api/rules/supplyRules.ts';
import { usedAddressSchema } from '../../api/values.ts';
import { defineToken } from '../definition.ts';
import { contracts } from './contracts.ts';

export const erc3643 = defineToken({
  type: 'ERC3643',
  folder: 'erc3643',
  description: 'A permissioned token of the T-REX suite: only registered holders may own it.',
  args: {
    total_supply: totalSupply,
    compliance_registry: usedAddressSchema.describe(
      'Address of a ModularCompliance or an IdentityRegistry of T-REX. The zero address: new ones are deployed.',
    ),
    transfer_restrictions: z
      .boolean()
      .optional()
      .describe('Enables the default transfer checks: transfers only from or to accounts on an allow list.'),
  },
  decimals: { min: 0, max: 18 },
  endpoints: [
    {
      operationId: 'deployErc3643',
      path: 'erc3643',
      summary: 'Deploy an ERC3643 token',
      description: 'An ERC3643 token and where to deploy it.',
      example: {
        args: { total_supply: '1000000', compliance_registry: exampleContract, transfer_restrictions: true },
        spec: {},
      },
    },
  ],
  abis: {
    token: ['TokenImplementation'],
    identity_registry: ['IdentityRegistryImplementation'],
    compliance: ['ComplianceImplementation'],
    identity_registry_storage: ['IdentityStorageImplementation'],
    claim_topics_registry: ['TopicsImplementation'],
    trusted_issuers_registry: ['IssuersImplementation'],
    owner_identity: ['Identity'],
    transfer_restrict_module: ['TransferRestrictModule'],
  },
  contracts,
});
