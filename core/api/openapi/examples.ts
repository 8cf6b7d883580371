import { compact } from '../../lib/compact.ts';
import type { Example } from '../feature.ts';
import { membersOfFeatures } from '../features.ts';
import type { OperationId } from '../operations/operations.ts';
import { deployEndpoints, type TokenEndpoint } from '../rules/tokenArgs.ts';
import { accountExamples } from './accountExamples.ts';
import {
  exampleAccount as account,
  exampleContract as contract,
  exampleTime as createdAt,
} from './exampleValues.ts';

const networkId = '3f0c9d7e-6a51-4f6e-9b7c-0d2a8b1c4e5f';
const otherNetworkId = '9b2d1c44-0f0e-4c1b-8a35-7f6f2b1de0aa';
const tokenId = 'c1a5e6d0-2b8f-4f6a-8f0d-94d6f3a1b7c2';
const recordingId = 'a6f4b0c8-5d1e-4c7b-9e2f-3b8a7d6c5e4f';
const hash = `0x${'8f2a'.repeat(16)}`;

const networkSpec = {
  chain: { type: 'Ethereum', ethereum: { chainID: '31337', privateKeyRef: { name: 'hot-key' } } },
};

/** As the service answers it: the operator has not seen it yet. */
const newNetwork = {
  kind: 'Network',
  version: 'v1alpha',
  id: networkId,
  name: 'my-network',
  ownerID: 'admin',
  metadata: {
    name: 'my-network',
    rev: 1,
    createdAt,
    updatedAt: createdAt,
    ownerID: 'admin',
    workspace: 'default',
  },
  spec: networkSpec,
  status: { state: 'Pending' },
};

const network = {
  ...newNetwork,
  status: {
    state: 'Operational',
    message: 'running',
    execution: { currentStep: 4, totalSteps: 4 },
    chainID: '31337',
  },
};

const snapshotId = '0e7c3c1d-52f5-4e0f-b8a4-3f1f0f4f2a6b';

const snapshot = {
  kind: 'Snapshot',
  version: 'v1alpha',
  id: snapshotId,
  name: 'before-upgrade',
  ownerID: 'admin',
  metadata: {
    name: 'before-upgrade',
    rev: 1,
    createdAt,
    updatedAt: createdAt,
    ownerID: 'admin',
    workspace: 'default',
  },
  spec: { network: 'my-network' },
  status: {
    state: 'Ready',
    message: 'block 12, 18432 bytes',
    networkID: networkId,
    chainType: 'Ethereum',
    chainID: '31337',
    block: 12,
    bytes: 18_432,
  },
};

const secret = {
  kind: 'Secret',
  version: 'v1alpha',
  id: 'e0b1f2a3-1c2d-4e5f-8a9b-0c1d2e3f4a5b',
  name: 'hot-key',
  metadata: {
    name: 'hot-key',
    rev: 1,
    createdAt,
    updatedAt: createdAt,
    ownerID: 'admin',
    workspace: 'default',
  },
  type: 'private-key',
  data: 'rAl0vsOaF+NrpKawhNI4/5RLrLR477/ZXfznhr9PCoA=',
};

const deployment = {
  id: '5d0e8c1f-7b3a-8f42-a1c9-6e2d4b7f9a03',
  token_id: tokenId,
  network_id: networkId,
  token_address: contract,
  args: { total_supply: '1000000' },
  deployment_tx: hash,
  deployed_at: createdAt,
};

const token = {
  kind: 'Token',
  version: 'v1alpha1',
  id: tokenId,
  user_id: 'admin',
  name: 'Example',
  symbol: 'EXM',
  decimals: 18,
  total_supply: '1000000',
  type: 'ERC20',
  created_at: createdAt,
  deployments: [deployment],
};

const recorded = {
  [networkId]: {
    chainId: '31337',
    firstBlock: 10,
    lastBlock: 12,
    transactions: [
      {
        hash,
        type: 2,
        from: account,
        to: contract,
        value: '0',
        data: '0x',
        nonce: 0,
        gas_limit: 21000,
        gas_used: 21000,
        gas_price: '1000000007',
        max_fee_per_gas: '2000000000',
        max_priority_fee_per_gas: '1',
        block: 11,
        timestamp: createdAt,
        status: 'success',
      },
    ],
  },
};

const recording = {
  id: recordingId,
  user_address: account,
  network_ids: [networkId],
  start_timestamp: createdAt,
  state: 'recording',
  created_at: createdAt,
};

const tokenAnswer = { response: token } satisfies Example;

/** The request of a deploy endpoint; the standard of the token above answers it as well. */
function deployExample({ type, example: { args, spec } }: TokenEndpoint): Example {
  const request = {
    name: 'Example',
    symbol: 'EXM',
    deployments: [{ network_id: networkId, args }],
    ...compact({ spec }),
  };
  return type === token.type ? { ...tokenAnswer, request } : { request };
}

const deployExamples = Object.fromEntries(
  deployEndpoints.map((endpoint) => [endpoint.operationId, deployExample(endpoint)]),
);

/** Example requests and responses, for operations where an example adds to the schema. */
export const examples: Partial<Record<OperationId, Example>> = {
  listNetworks: { response: { kind: 'NetworkList', version: 'v1alpha', items: [network], metadata: {} } },
  listChainTypes: {
    response: {
      kind: 'ChainTypeList',
      version: 'v1alpha',
      idleAfterSeconds: 86_400,
      items: [
        {
          type: 'Solana',
          options: [
            { setting: 'profile', value: 'light' },
            {
              setting: 'profile',
              value: 'real',
              wait: 'waiting for the builder, which makes engines.solana (about 40 minutes of one processor)',
            },
          ],
        },
      ],
    },
  },
  getNetwork: { response: network },
  getNetworkEndpoints: {
    response: {
      kind: 'EndpointSet',
      version: 'v1alpha',
      metadata: { name: 'my-network', rev: 1, createdAt },
      map: {
        rpc: `https://slipway.example/rpc/${networkId}/key/rpc`,
        ws: `wss://slipway.example/rpc/${networkId}/key/ws`,
      },
    },
  },
  createNetwork: { request: { name: 'my-network', spec: networkSpec }, response: newNetwork },
  replaceNetwork: {
    request: { metadata: { rev: 1 }, spec: { ...networkSpec, persistent: true } },
    response: { ...network, spec: { ...networkSpec, persistent: true } },
  },
  rotateNetworkKeys: {
    request: { keys: ['admin'] },
    response: {
      ...network,
      spec: { ...networkSpec, accessKeyRotation: { adminNonce: 1 } },
      status: {
        state: 'Operational',
        endpoints: {
          rpc: `https://slipway.example/rpc/${networkId}/key/rpc`,
          admin: `https://slipway.example/rpc/${networkId}/new-admin-key/admin`,
          'admin-ws': `wss://slipway.example/rpc/${networkId}/new-admin-key/admin-ws`,
        },
        adminServices: ['admin', 'admin-ws'],
        accessKeys: { public: { epoch: 0, observedNonce: 0 }, admin: { epoch: 1, observedNonce: 1 } },
      },
    },
  },
  ...accountExamples(account, secret.name),
  stopNetwork: {
    response: {
      ...network,
      status: {
        state: 'Stopping',
        message: 'stopping on request; its data is deleted. Any request or spec change wakes it',
      },
    },
  },
  createNetworkSnapshot: { request: { name: 'before-upgrade' }, response: snapshot },
  getSnapshot: { response: snapshot },
  revertNetwork: { response: { ...network, spec: { ...networkSpec, from: { snapshot: snapshot.name } } } },
  createSecret: { request: { name: 'hot-key', type: secret.type, data: secret.data }, response: secret },
  getSecret: { response: secret },
  getToken: tokenAnswer,
  addDeployments: {
    request: { networks: [otherNetworkId], args: { total_supply: '1000000' } },
    response: token,
  },
  ...deployExamples,
  submitTransactions: {
    request: {
      transactions_by_network: {
        [networkId]: [{ from: account, to: contract, value: '0', data: '0xd09de08a' }],
      },
    },
    response: { tx_hashes_by_network: { [networkId]: [hash] } },
  },
  startRecording: {
    request: { userAddress: account, networkIds: [networkId] },
    response: { recordingId, message: 'recording' },
  },
  stopRecording: { request: { recordingId }, response: { ...recording, state: 'recorded' } },
  getRecording: { response: { ...recording, recorded_data: { networks: recorded } } },
  getRecordingDocument: { response: { version: 'slipway.replay/v1', networks: recorded } },
  replayRecording: {
    request: { recordingId, networkMapping: { [networkId]: otherNetworkId } },
    response: {
      success: true,
      transactions: { [otherNetworkId]: [{ original_hash: hash, hash, status: 'success', match: true }] },
      networks: [otherNetworkId],
      totalTransactions: 1,
      appliedNetworkMapping: { [networkId]: otherNetworkId },
    },
  },
  createWorkspace: { request: { name: 'team-a', description: 'Integration tests.' } },
  createInvitation: { request: { email: 'ada@example.com', role: 'developer' } },
  acceptInvitation: { request: { token: `i${'0a'.repeat(12)}.${'x'.repeat(43)}` } },
  replaceWorkspace: { request: { name: 'team-a', description: 'Integration tests, and demos.' } },
  replaceMembership: { request: { role: 'admin' } },
  lookUpInvitation: { request: { token: `i${'0a'.repeat(12)}.${'x'.repeat(43)}` } },
  createApiKey: { request: { name: 'ci', role: 'developer', permissions: ['networks:write'] } },
  ...membersOfFeatures('examples'),
};
