import { z } from 'zod';
import type { Feature } from '../../core/api/feature.ts';
import { exampleAccount } from '../../core/api/openapi/exampleValues.ts';
import { idParams, type Operation } from '../../core/api/operations/operation.ts';
import { faucetPaymentSchema, faucetRequestSchema } from './api/schemas.ts';

const operations = {
  requestFunds: {
    method: 'POST',
    path: '/v1alpha/networks/{id}/faucet',
    api: 'network',
    summary: 'Get funds on a network',
    description:
      'The account of the caller pays: its default key, which has funds on every EVM network, signs a transfer. A token is transferred if the account holds enough, otherwise minted if the account may mint it. Wakes a stopped network. A repeated Idempotency-Key pays once.',
    params: idParams,
    body: faucetRequestSchema,
    success: { status: 202, schema: faucetPaymentSchema, description: 'The transactions that pay.' },
    errors: [400, 404, 409],
    permission: 'transactions:write',
  },
} as const satisfies Record<string, Operation>;

/** Gives coins and tokens of a network, from the account of the caller. */
export const feature = {
  groups: [{ name: 'Networks', operations, reads: ['Network', 'Secret', 'Snapshot', 'Token'] }],
  examples: {
    requestFunds: {
      request: { address: exampleAccount },
      response: { txHashes: [`0x${'8f2a'.repeat(16)}`] },
    },
  },
  client: { methods: { requestFunds: 'networks.requestFunds' } },
  settings: {
    faucet: z
      .object({
        /** Whole coins or tokens per request; 0: no faucet. */
        maxAmount: z.int().min(0).default(100),
        /** Requests of a user per hour, in each replica of the API server. 0: no limit. */
        requestsPerHour: z.int().min(0).default(600),
      })
      .prefault({}),
  },
  budgets: { faucet: 'requests of an account to faucets' },
} as const satisfies Feature;
