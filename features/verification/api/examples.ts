import {
  exampleContract as contract,
  exampleTime as createdAt,
} from '../../../core/api/openapi/exampleValues.ts';

/** By the ids of the operations. */
export const examples = {
  getContract: {
    response: {
      kind: 'Contract',
      version: 'v1alpha',
      address: contract,
      name: 'src/Counter.sol:Counter',
      compiler: '0.8.28+commit.7893614a',
      match: 'exact_match',
      runtimeMatch: 'exact_match',
      codeHash: `0x${'8f2a'.repeat(16)}`,
      verifiedAt: createdAt,
      abi: [{ type: 'function', name: 'increment', inputs: [], outputs: [], stateMutability: 'nonpayable' }],
      sources: { 'src/Counter.sol': 'contract Counter { function increment() external {} }' },
      settings: { optimizer: { enabled: true, runs: 200 } },
    },
  },
};
