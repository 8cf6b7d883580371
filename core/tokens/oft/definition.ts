import { z } from 'zod';
import { exampleContract } from '../../api/openapi/exampleValues.ts';
import { totalSupply } from '../../api/rules/supplyRules.ts';
import { ownedAddressSchema } from '../../api/values.ts';
import { defineToken } from '../definition.ts';
import { parameterIssues } from './parameters.ts';

const args = {
  total_supply: totalSupply,
  layer_zero_endpoint: ownedAddressSchema.describe('Address of the LayerZero endpoint.'),
  adapter_parameters: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      'Parameters of the adapter. lz_fee: the maximum cost of a message to another network of the token, in wei, or with a decimal point in units of the native currency; the deployment fails if the endpoint asks more.',
    ),
};

export const oft = defineToken({
  type: 'OFT',
  folder: 'oft',
  description: "LayerZero's omnichain token: one contract on each network, each the peer of all others.",
  args,
  // Messages of LayerZero's OFT count in millionths.
  decimals: { min: 6, max: 83 },
  settings: z
    .looseObject({
      layer_zero_endpoint: args.layer_zero_endpoint.optional(),
      adapter_parameters: args.adapter_parameters,
    })
    .describe('Settings of the token: the defaults of the args of each deployment.'),
  settingArgs: ['layer_zero_endpoint', 'adapter_parameters'],
  issues: parameterIssues,
  endpoints: [
    {
      operationId: 'deployOft',
      path: 'oft',
      summary: 'Deploy an OFT token',
      description: 'An OFT token and where to deploy it.',
      example: {
        args: {
          total_supply: '1000000',
          layer_zero_endpoint: exampleContract,
          adapter_parameters: { lz_fee: '100' },
        },
      },
    },
  ],
  abis: { token: ['OmnichainToken'] },
  contracts: { OmnichainToken: { own: 'OmnichainToken' } },
});
