import { read, slipway } from '../../core/api/access/rbac/rule.ts';
import type { Feature } from '../../core/api/feature.ts';
import { idParams, type Operation } from '../../core/api/operations/operation.ts';
import { age, text } from '../../core/api/resources/definition.ts';
import { raisedRecord, rpcKeyRecordSpecSchema, rpcKeyRecordType } from './api/record.ts';
import * as api from './api/rpcKey.ts';

const operations = {
  listRpcKeys: {
    method: 'GET',
    path: '/v1alpha/networks/{id}/keys',
    api: 'network',
    summary: 'List the keys of a network that have names',
    description: 'With their URLs. Does not wake a stopped network.',
    params: idParams,
    success: { status: 200, schema: api.rpcKeyListSchema, description: 'The keys.' },
    errors: [404],
    permission: 'networks:read',
  },
  createRpcKey: {
    method: 'POST',
    path: '/v1alpha/networks/{id}/keys',
    api: 'network',
    summary: 'Create a key with a name for the RPC URLs of a network',
    description: `It opens what the public URL opens, or a part of that, until it expires or is revoked. A network has at most ${api.maxKeys}. The answer has its URLs; if the operator is away, the list has them later.`,
    params: idParams,
    body: api.rpcKeyCreateSchema,
    success: { status: 201, schema: api.rpcKeySchema, description: 'The key with its URLs.' },
    errors: [400, 404, 409],
    permission: 'networks:write',
  },
  revokeRpcKey: {
    method: 'DELETE',
    path: '/v1alpha/networks/{id}/keys/{name}',
    api: 'network',
    summary: 'Revoke a key of a network',
    description:
      'Its URLs stop working at once, and open WebSockets end. They never work again, also not with another key of the same name.',
    params: api.keyParams,
    success: { status: 200, schema: api.rpcKeySchema, description: 'The key before it was revoked.' },
    errors: [404],
    permission: 'networks:write',
  },
} as const satisfies Record<string, Operation>;

const url = 'https://slipway.example.com/rpc/b3b6a0de-1f7c-4c55-9a0e-2d1c6f4e8a77/(key)/rpc';
const example = {
  kind: 'RpcKey',
  version: 'v1alpha',
  name: 'ci',
  createdAt: '2031-01-01T00:00:00Z',
  expiresAt: '2031-07-01T00:00:00Z',
  methods: ['eth_*', 'net_version'],
  state: 'Active',
  endpoints: { rpc: url },
};

/** Keys of networks with a name, an expiry and a list of methods, which are revoked one by one. */
export const feature = {
  groups: [{ name: 'Networks', operations, reads: ['Network', 'RpcKey', 'RpcKeyRecord'] }],
  schemas: {
    RpcKey: api.rpcKeySchema,
    RpcKeyList: api.rpcKeyListSchema,
    RpcKeyCreate: api.rpcKeyCreateSchema,
  },
  examples: {
    createRpcKey: {
      request: { name: 'ci', expiresAt: '2031-07-01T00:00:00Z', methods: ['eth_*', 'net_version'] },
      response: example,
    },
    listRpcKeys: { response: { kind: 'RpcKeyList', version: 'v1alpha', items: [example] } },
  },
  client: {
    methods: {
      listRpcKeys: 'networks.listKeys',
      createRpcKey: 'networks.createKey',
      revokeRpcKey: 'networks.revokeKey',
    },
  },
  resources: [
    {
      type: api.rpcKeyType,
      description: 'A key with a name in the RPC URLs of a network.',
      shortName: 'brpc',
      spec: api.rpcKeySpecSchema,
      status: api.rpcKeyStatusSchema,
      columns: [
        text('Network', '.spec.network', 'Network that it opens.'),
        text('State', '.status.state', 'Whether it opens its network.'),
        text('Expires', '.spec.expiresAt', 'When it expires.'),
        age,
        { ...text('Message', '.status.message', 'Why it does not.'), priority: 1 },
      ],
      selectable: ['.spec.network'],
      counted: { kind: 'networks', isCached: true, pageSize: 250 },
      isClosedToUsers: true,
      isOnlyCounted: true,
    },
    {
      type: rpcKeyRecordType,
      description: 'Which RPC keys a workspace had. Written only by the service.',
      shortName: 'brpcr',
      category: 'slipway-internal',
      spec: rpcKeyRecordSpecSchema,
      columns: [age],
      selectable: [],
      counted: { kind: 'records', isCached: true, pageSize: 50 },
      isOnlyCounted: true,
      countsUp: { of: api.rpcKeyType.kind, raised: raisedRecord },
    },
  ],
  access: {
    apiserver: {
      cluster: [
        {
          reason: 'RPC keys are created, listed and revoked over REST, and open networks',
          groups: slipway,
          resources: ['rpckeys'],
          verbs: [...read, 'create', 'delete'],
        },
        {
          reason: 'RPC keys that were revoked open nothing',
          groups: slipway,
          resources: ['rpckeyrecords'],
          verbs: read,
        },
      ],
    },
    operator: {
      cluster: [
        { reason: 'RPC keys begin, and have URLs', groups: slipway, resources: ['rpckeys'], verbs: read },
        {
          reason: 'the URLs of an RPC key are in its status',
          groups: slipway,
          resources: ['rpckeys/status'],
          verbs: ['patch'],
        },
        {
          reason: 'which RPC keys there were is remembered',
          groups: slipway,
          resources: ['rpckeyrecords'],
          verbs: [...read, 'create', 'patch'],
        },
      ],
    },
    people: { view: ['rpckeys'], edit: ['rpckeys'] },
  },
} as const satisfies Feature;
