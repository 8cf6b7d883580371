import { z } from 'zod';
import { exampleAccount } from '../../api/openapi/exampleValues.ts';
import { initialSupply, totalSupply } from '../../api/rules/supplyRules.ts';
import { ownedAddressSchema } from '../../api/values.ts';
import { defineToken } from '../definition.ts';
import { contracts } from './contracts.ts';
import { cctIssues, cctRules } from './rules.ts';

/** JSON numbers are doubles for most programs (RFC 8259, section 6): what does not survive that is refused, never rounded. */
const tooPrecise = 'must be a number with at most 17 significant digits: use fewer digits, without quotes';

export const cct = defineToken({
  type: 'CCT',
  folder: 'cct',
  description:
    "Chainlink CCIP's cross-chain token: a pool on each network, wired to the pools on all others.",
  args: {
    total_supply: totalSupply
      .optional()
      .describe('Total supply. Required in fresh mode; omitted when an existing token is wrapped.'),
    underlying_token_address: ownedAddressSchema
      .optional()
      .describe('Existing token to wrap. Omitted: fresh mode, which deploys a new token.'),
    liquidity: z
      .number({
        error: ({ input }) => (typeof input === 'string' ? tooPrecise : undefined),
      })
      .min(0)
      .refine(Number.isInteger, 'use a whole number: smallest units of the token')
      .optional()
      .describe(
        'Fresh mode, lock-release only: initial pool liquidity on that chain, in smallest units, out of total_supply.',
      ),
    recipient: z
      .string()
      .regex(/^(0x[0-9a-fA-F]{40})?$/, {
        error: 'use an address: 0x and 40 hexadecimal digits',
        abort: true,
      })
      .superRefine((text, context) => {
        const problems = text === '' ? [] : (ownedAddressSchema.safeParse(text).error?.issues ?? []);
        for (const { message } of problems) context.addIssue({ code: 'custom', message });
      })
      .optional()
      .describe(
        'Burn-mint only: in fresh mode, receives the initial supply on that chain. Empty: the deployer.',
      ),
    initial_supply: initialSupply
      .optional()
      .describe(
        'Fresh mode only: amount minted at deployment, in smallest units. Omitted: all of total_supply that is not liquidity.',
      ),
  },
  issues: cctIssues,
  rules: cctRules,
  decimals: { min: 0, max: 255 },
  endpoints: [
    {
      operationId: 'deployCctLockRelease',
      path: 'cct/lock-release',
      mechanism: 'lock-release',
      summary: 'Deploy a cross-chain token that is locked and released',
      description: 'A cross-chain token with lock-release pools.',
      takesNetworks: true,
      example: { args: { total_supply: '1000000', liquidity: 1000 } },
    },
    {
      operationId: 'deployCctBurnMint',
      path: 'cct/burn-mint',
      mechanism: 'burn-mint',
      summary: 'Deploy a cross-chain token that is burned and minted',
      description: 'A cross-chain token with burn-mint pools.',
      takesNetworks: true,
      example: { args: { total_supply: '1000000', recipient: exampleAccount, initial_supply: '1000' } },
    },
  ],
  abis: {
    token: ['CrossChainToken'],
    pool: ['BurnMintPool', 'LockReleasePool'],
    router: ['Router'],
    token_admin_registry: ['TokenAdminRegistry'],
    rmn_proxy: ['RiskManagementProxy'],
  },
  contracts,
});
