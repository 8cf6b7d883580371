import type { Feature } from '../../core/api/feature.ts';
import { exampleAccount as account } from '../../core/api/openapi/exampleValues.ts';
import * as chain from './api/chain.ts';
import { chainOperations } from './api/operations.ts';

/** Reads chains for explorers: neither wakes a network nor counts as activity. */
export const feature = {
  groups: [
    {
      name: 'Chains',
      description: 'Reading chains, for explorers.',
      operations: chainOperations,
      reads: ['Network', 'Token'],
    },
  ],
  schemas: {
    ChainReads: chain.chainReadsSchema,
    ChainAnswers: chain.chainAnswersSchema,
    ChainHead: chain.chainHeadSchema,
  },
  examples: {
    readChain: {
      request: { reads: [{ method: 'eth_getBalance', params: [account, 'latest'] }] },
      response: {
        kind: 'ChainAnswers',
        version: 'v1alpha',
        enclaveID: 'my-net-1-x7k2p',
        answers: [{ result: '0xde0b6b3a7640000' }],
        contracts: [],
      },
    },
  },
  client: { methods: { readChain: 'networks.readChain' } },
} as const satisfies Feature;
