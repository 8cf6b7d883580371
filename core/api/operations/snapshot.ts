import { z } from 'zod';
import { networkSchema } from '../resources/network.ts';
import {
  snapshotCreateSchema,
  snapshotListSchema,
  snapshotSchema,
  snapshotStates,
} from '../resources/snapshot.ts';
import { selectableLabels } from '../userLabels.ts';
import { idSchema } from '../values.ts';
import { idParams, listQuerySchema, type Operation } from './operation.ts';

const ofNetwork = '/v1alpha/networks/{id}/snapshots';
const one = { status: 200, schema: snapshotSchema } as const;
const page = { status: 200, schema: snapshotListSchema, description: 'A page of snapshots.' } as const;
const selection = {
  selectable: ['status.state', 'spec.network', 'metadata.ownerID', 'metadata.name', selectableLabels],
  selectableValues: { 'status.state': snapshotStates },
  canWarn: true,
};

const bothParams = z.object({
  id: idSchema.describe('Id of the network.'),
  snapshotId: idSchema.describe('Id of the snapshot.'),
});

export const snapshotOperations = {
  listSnapshots: {
    method: 'GET',
    path: '/v1alpha/snapshots',
    api: 'network',
    summary: 'List all snapshots',
    description:
      'Lists the snapshots of the workspace, including those of deleted networks, one page at a time.',
    query: listQuerySchema,
    listQuery: true,
    ...selection,
    success: page,
    errors: [404],
    permission: 'networks:read',
  },
  getSnapshot: {
    method: 'GET',
    path: '/v1alpha/snapshots/{id}',
    api: 'network',
    summary: 'Get a snapshot',
    description: 'Also when its network is gone.',
    params: idParams,
    success: { ...one, description: 'The snapshot.' },
    errors: [404],
    permission: 'networks:read',
  },
  deleteSnapshot: {
    method: 'DELETE',
    path: '/v1alpha/snapshots/{id}',
    api: 'network',
    summary: 'Delete a snapshot',
    description:
      'Also when its network is gone. Refused while the chain of a network begins from it (spec.from).',
    params: idParams,
    success: { ...one, description: 'The snapshot before its deletion.' },
    errors: [404, 409],
    permission: 'networks:write',
  },
  listNetworkSnapshots: {
    method: 'GET',
    path: ofNetwork,
    api: 'network',
    summary: 'List the snapshots of a network',
    description: 'Does not wake a stopped network.',
    params: idParams,
    query: listQuerySchema,
    listQuery: true,
    ...selection,
    success: page,
    errors: [404],
    permission: 'networks:read',
  },
  createNetworkSnapshot: {
    method: 'POST',
    path: ofNetwork,
    api: 'network',
    summary: 'Take a snapshot of a network',
    description:
      'Stores the state of the chain, with its blocks and transactions but without the state of earlier blocks. Only for networks that run on anvil. The network must be Operational: a stopped one is not woken. Answers when the snapshot is Ready or, if that takes long, while it is Pending. If it exceeds a budget, the answer is 413 or 429 and names the budget.',
    params: idParams,
    body: snapshotCreateSchema,
    success: { status: 201, schema: snapshotSchema, description: 'The snapshot.' },
    errors: [400, 404, 409],
    permission: 'networks:write',
  },
  getNetworkSnapshot: {
    method: 'GET',
    path: `${ofNetwork}/{snapshotId}`,
    api: 'network',
    summary: 'Get a snapshot of a network',
    params: bothParams,
    success: { ...one, description: 'The snapshot.' },
    errors: [404],
    permission: 'networks:read',
  },
  deleteNetworkSnapshot: {
    method: 'DELETE',
    path: `${ofNetwork}/{snapshotId}`,
    api: 'network',
    summary: 'Delete a snapshot of a network',
    description: 'Refused while the chain of a network begins from it (spec.from).',
    params: bothParams,
    success: { ...one, description: 'The snapshot before its deletion.' },
    errors: [404, 409],
    permission: 'networks:write',
  },
  revertNetwork: {
    method: 'POST',
    path: `${ofNetwork}/{snapshotId}/revert`,
    api: 'network',
    summary: 'Revert a network to a snapshot',
    description:
      'Sets spec.from to the snapshot and requests a ResetState. Endpoints and chain id stay the same. The chain is a new incarnation: transactions sent after the snapshot are gone, open transactions are dropped, recordings end. Wakes a stopped network.',
    params: bothParams,
    success: { status: 200, schema: networkSchema, description: 'The network; follow status.state.' },
    errors: [400, 404, 409],
    permission: 'networks:write',
  },
} as const satisfies Record<string, Operation>;
