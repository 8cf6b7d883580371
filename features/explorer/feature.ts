import type { Feature } from '../../core/api/feature.ts';
import {
  exampleAccount as account,
  exampleContract,
  exampleTime,
} from '../../core/api/openapi/exampleValues.ts';
import * as chain from './api/chain.ts';
import * as contracts from './api/contracts.ts';
import * as history from './api/history.ts';
import { chainOperations, contractOperations } from './api/operations.ts';

const hash = `0x${'8d'.repeat(32)}`;
const covered = { first: '0', from: '0', to: '812', untraced: 0 };

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
      name: 'Accounts on chains',
      description: 'What accounts did, and transfers of tokens, from an index of the chain.',
      operations: history.historyOperations,
      reads: ['Network'],
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
    AccountTransaction: history.accountTransactionSchema,
    AccountTransactionList: history.accountTransactionListSchema,
    TokenTransfer: history.tokenTransferSchema,
    TokenTransferList: history.tokenTransferListSchema,
    KnownContract: contracts.knownContractSchema,
    ContractList: contracts.contractListSchema,
  },
  examples: {
    listContracts: contractList,
    listWorkspaceContracts: contractList,
    listAccountTransactions: {
      response: {
        kind: 'AccountTransactionList',
        version: 'v1alpha',
        enclaveID: 'my-net-1-x7k2p',
        covered,
        items: [
          {
            hash,
            block: '812',
            index: 0,
            time: exampleTime,
            from: account,
            to: exampleContract,
            value: '0',
            fee: '43721000000000',
            method: '0xd09de08a',
            status: 'success',
            inner: [],
          },
        ],
        metadata: {},
      },
    },
    listTokenTransfers: {
      response: {
        kind: 'TokenTransferList',
        version: 'v1alpha',
        enclaveID: 'my-net-1-x7k2p',
        covered,
        items: [
          {
            hash,
            block: '812',
            time: exampleTime,
            logIndex: 0,
            token: exampleContract,
            standard: 'ERC-20',
            from: `0x${'0'.repeat(40)}`,
            to: account,
            amount: '1000000000000000000',
          },
        ],
        metadata: {},
      },
    },
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
    methods: {
      readChain: 'networks.readChain',
      followBlocks: 'networks.followBlocks',
      listWorkspaceContracts: 'contracts.listOfWorkspace',
      listAccountTransactions: 'history.listTransactions',
      listTokenTransfers: 'history.listTransfers',
    },
    groups: {
      contracts: 'Contracts of networks that are known by name.',
      history: 'What accounts did on the chain of a network, and transfers of tokens.',
    },
  },
} as const satisfies Feature;
