import { read, slipway } from '../../core/api/access/rbac/rule.ts';
import type { Feature } from '../../core/api/feature.ts';
import type { Operation } from '../../core/api/operations/operation.ts';
import { age, text } from '../../core/api/resources/definition.ts';
import * as api from './api/addressName.ts';

const operations = {
  listAddresses: {
    method: 'GET',
    path: '/v1alpha/addresses',
    api: 'network',
    summary: 'List the address book',
    description: 'The addresses of the workspace that have names, ordered by them.',
    success: { status: 200, schema: api.addressNameListSchema, description: 'The addresses.' },
    errors: [404],
    permission: 'networks:read',
  },
  setAddress: {
    method: 'PUT',
    path: '/v1alpha/addresses/{address}',
    api: 'network',
    summary: 'Name an address',
    description: `Adds it to the address book of the workspace, or replaces its name and its note. A workspace has at most ${api.maxNames}, and no name twice.`,
    params: api.addressParams,
    body: api.addressNameSpecSchema,
    success: { status: 200, schema: api.addressNameSchema, description: 'The address with its name.' },
    errors: [400, 404, 409],
    permission: 'networks:write',
  },
  removeAddress: {
    method: 'DELETE',
    path: '/v1alpha/addresses/{address}',
    api: 'network',
    summary: 'Remove an address from the address book',
    description: 'Nothing happens to the address itself.',
    params: api.addressParams,
    success: { status: 200, schema: api.addressNameSchema, description: 'The address as it was.' },
    errors: [404],
    permission: 'networks:write',
  },
} as const satisfies Record<string, Operation>;

const request = { name: 'treasury', note: 'Safe of the finance team' };
const example = {
  kind: 'AddressName',
  version: 'v1alpha',
  address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045',
  createdAt: '2031-01-01T00:00:00Z',
  ...request,
};

/** Names addresses for a workspace: people, treasuries, contracts. */
export const feature = {
  groups: [
    {
      name: 'Address book',
      description: 'Names of addresses, which clients show in their place.',
      operations,
      reads: ['AddressName'],
    },
  ],
  schemas: {
    AddressName: api.addressNameSchema,
    AddressNameList: api.addressNameListSchema,
    AddressNameSpec: api.addressNameSpecSchema,
  },
  examples: {
    listAddresses: { response: { kind: 'AddressNameList', version: 'v1alpha', items: [example] } },
    setAddress: { request, response: example },
    removeAddress: { response: example },
  },
  client: {
    methods: {
      listAddresses: 'addresses.list',
      setAddress: 'addresses.set',
      removeAddress: 'addresses.remove',
    },
    groups: { addresses: 'The address book of a workspace.' },
  },
  resources: [
    {
      type: api.addressNameType,
      description: 'The name of an address in a workspace. The object is named after the address.',
      shortName: 'baddr',
      spec: api.addressNameSpecSchema,
      name: api.objectNameSchema,
      columns: [
        text('Called', '.spec.name', 'What the address is called.'),
        text('Note', '.spec.note', 'What else there is to know.'),
        age,
      ],
      selectable: ['.spec.name'],
      counted: { kind: 'records', isCached: true, pageSize: 250 },
      isClosedToUsers: true,
      isOnlyCounted: true,
    },
  ],
  access: {
    apiserver: {
      cluster: [
        {
          reason: 'addresses are named, listed and removed over REST',
          groups: slipway,
          resources: ['addressnames'],
          verbs: [...read, 'create', 'update', 'delete'],
        },
      ],
    },
    people: { view: ['addressnames'], edit: ['addressnames'] },
  },
} as const satisfies Feature;
