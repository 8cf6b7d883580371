import type { Feature } from '../../core/api/feature.ts';
import {
  exampleAccount as account,
  exampleContract,
  exampleTime,
} from '../../core/api/openapi/exampleValues.ts';
import * as chain from './api/chain.ts';
import * as contracts from './api/contracts.ts';
import { chainOperations, contractOperations } from './api/operations.ts';

const contractList = {
  response: {
    kind: 'ContractList',
    version: 'v1alpha',
    items: [
      {
        address: exampleContract,
        name: 'src/Counter.sol:Counter',
        origin: 'verified',
        networkID: '6f1c1e0a-3c1d-4b7e-9d55-1f0a2b3c4d5e',
        network: 'my-net',
        compiler: '0.8.28+commit.7893614a',
        match: 'exact_match',
        verifiedAt: exampleTime,
      },
    ],
    metadata: {},
  },
};

/** Reads chains for explorers: neither wakes a network nor counts as activity. */
export const feature = {
  groups: [
    {
      name: 'Chains',
      description: 'Reading chains, for explorers.',
      operations: chainOperations,
      reads: ['Network', 'Token'],
    },
    {
      name: 'Contracts',
      description: 'Contracts of networks that are known by name.',
      operations: contractOperations,
      reads: ['Network', 'Token'],
    },
  ],
  schemas: {
    ChainReads: chain.chainReadsSchema,
    ChainAnswers: chain.chainAnswersSchema,
    ChainHead: chain.chainHeadSchema,
    KnownContract: contracts.knownContractSchema,
    ContractList: contracts.contractListSchema,
  },
  examples: {
    listContracts: contractList,
    listWorkspaceContracts: contractList,
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
  client: {
    nouns: { Contract: 'contracts' },
    methods: { readChain: 'networks.readChain', listWorkspaceContracts: 'contracts.listOfWorkspace' },
    groups: { contracts: 'Contracts of networks that are known by name.' },
  },
} as const satisfies Feature;
