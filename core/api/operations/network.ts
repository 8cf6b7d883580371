import { z } from 'zod';
import { chainTypes } from '../resources/chainSpecs.ts';
import {
  endpointSetSchema,
  networkCreateSchema,
  networkListSchema,
  networkReplaceSchema,
  networkSchema,
} from '../resources/network.ts';
import { networkStates } from '../resources/networkStatus.ts';
import { chainTypeListSchema } from '../rest/chainTypes.ts';
import { logQuerySchema, rotateKeysSchema } from '../rest/network.ts';
import { selectableLabels } from '../userLabels.ts';
import { idParams, listQuerySchema, type Operation } from './operation.ts';

const network = { status: 200, schema: networkSchema } as const;

export const networkOperations = {
  listNetworks: {
    method: 'GET',
    path: '/v1alpha/networks',
    api: 'network',
    summary: 'List networks',
    description: 'Lists the networks of the workspace, one page at a time.',
    query: listQuerySchema,
    listQuery: true,
    selectable: [
      ...['status.state', 'spec.chain.type', 'metadata.ownerID', 'spec.persistent'],
      ...['metadata.name', selectableLabels],
    ],
    selectableValues: {
      'status.state': networkStates,
      'spec.chain.type': Object.keys(chainTypes),
      'spec.persistent': ['true', 'false'],
    },
    canWarn: true,
    success: { status: 200, schema: networkListSchema, description: 'A page of networks.' },
    errors: [404],
    permission: 'networks:read',
  },
  listChainTypes: {
    method: 'GET',
    path: '/v1alpha/chain-types',
    api: 'network',
    summary: 'List the chain types',
    description:
      'What networks of each type can be, and what of it this installation can run: clients, plugins, forks. Pages do not apply.',
    success: { status: 200, schema: chainTypeListSchema, description: 'All chain types.' },
    errors: [],
    permission: 'networks:read',
  },
  getNetwork: {
    method: 'GET',
    path: '/v1alpha/networks/{id}',
    api: 'network',
    summary: 'Get a network',
    description: 'Counts as activity: wakes a stopped network.',
    params: idParams,
    success: { ...network, description: 'The network.' },
    errors: [404],
    permission: 'networks:read',
  },
  getNetworkEndpoints: {
    method: 'GET',
    path: '/v1alpha/networks/{id}/endpoints',
    api: 'network',
    summary: 'Get the endpoints of a network',
    description: 'Service names and their URLs. Counts as activity: wakes a stopped network.',
    params: idParams,
    success: { status: 200, schema: endpointSetSchema, description: 'The endpoints.' },
    errors: [404],
    permission: 'networks:read',
  },
  createNetwork: {
    method: 'POST',
    path: '/v1alpha/networks',
    api: 'network',
    summary: 'Create a network',
    description:
      'Returns immediately; read the network to follow status.state and status.execution. The header Warning lists fields that have no effect, and secrets that are not there yet.',
    canWarn: true,
    canDryRun: true,
    body: networkCreateSchema,
    success: { status: 201, schema: networkSchema, description: 'The network, in state Pending.' },
    errors: [400, 409],
    permission: 'networks:write',
  },
  replaceNetwork: {
    method: 'PUT',
    path: '/v1alpha/networks/{id}',
    api: 'network',
    summary: 'Replace a network',
    description:
      'Send the complete spec; if accessKeyRotation or metadata.labels are absent, the stored ones are kept. chain.type is immutable. With metadata.rev or If-Match, the request fails if the network was modified in the meantime. The running chain takes over block time and gas limit, and on a persistent network also images and arguments; any other change of spec.chain starts a new chain. The header Warning says so, and lists fields that have no effect and secrets that are not there yet.',
    comparesRevisions: true,
    canWarn: true,
    canDryRun: true,
    params: idParams,
    body: networkReplaceSchema,
    success: { ...network, description: 'The network with its new spec.' },
    errors: [400, 404, 409],
    permission: 'networks:write',
  },
  rotateNetworkKeys: {
    method: 'POST',
    path: '/v1alpha/networks/{id}/rotate-keys',
    api: 'network',
    summary: 'Replace the access keys of a network',
    description:
      'URLs with the old keys stop working at once, and open WebSockets are closed. The answer has the new URLs.',
    params: idParams,
    body: rotateKeysSchema,
    success: { ...network, description: 'The network with its new endpoints.' },
    errors: [404, 409],
    permission: 'networks:write',
  },
  getNetworkLogs: {
    method: 'GET',
    path: '/v1alpha/networks/{id}/logs',
    api: 'network',
    summary: 'Read the logs of a network',
    description:
      'The output of the process of one part of the network. Does not wake a stopped network, and does not count as activity. With follow, the response continues as the process writes; it ends with the process, after 15 minutes, or when the service restarts. Without follow, it is at most 8 MiB. A line of more than 16,384 characters is cut: it ends with "…" and the number of the characters that are missing.',
    params: idParams,
    query: logQuerySchema,
    success: {
      status: 200,
      schema: z.string(),
      contentType: 'text/plain',
      description: 'The last lines, oldest first.',
    },
    errors: [400, 404, 409],
    permission: 'logs:read',
  },
  stopNetwork: {
    method: 'POST',
    path: '/v1alpha/networks/{id}/stop',
    api: 'network',
    summary: 'Stop a network',
    description:
      'Ends the engine at once. The data of a persistent network stays on its volume; the data of any other network is lost, as with an idle stop. Its next use wakes it, including reading it: use the list to follow its state. No effect on a stopped network.',
    params: idParams,
    success: { ...network, description: 'The network, in state Stopping or Stopped.' },
    errors: [404, 409],
    permission: 'networks:write',
  },
  wakeNetwork: {
    method: 'POST',
    path: '/v1alpha/networks/{id}/wake',
    api: 'network',
    summary: 'Wake a network',
    description:
      'Starts a stopped network, as any use of it does. For a running network, it only counts as activity.',
    params: idParams,
    success: { ...network, description: 'The network; in state Pending until its engine answers.' },
    errors: [404, 409],
    permission: 'networks:write',
  },
  deleteNetwork: {
    method: 'DELETE',
    path: '/v1alpha/networks/{id}',
    api: 'network',
    summary: 'Delete a network',
    params: idParams,
    success: { ...network, description: 'The network before its deletion.' },
    errors: [404, 409],
    permission: 'networks:write',
  },
} as const satisfies Record<string, Operation>;
