import { idParams, type Operation } from '../../../core/api/operations/operation.ts';
import {
  blockQuerySchema,
  chainAnswersSchema,
  chainHeadEventSchema,
  chainReadsSchema,
  maxReads,
} from './chain.ts';
import { contractListSchema, contractQuerySchema } from './contracts.ts';

/** What explorers ask of a chain. */
export const chainOperations = {
  readChain: {
    method: 'POST',
    path: '/v1alpha/networks/{id}/chain',
    api: 'network',
    summary: 'Read the chain of a network',
    description: `At most ${maxReads} calls to its node; only methods that read are allowed. Neither wakes the network nor counts as activity: if the network is not Operational, the answer is 409, unless the request contains only addresses. A call that fails does not affect the others. All answers together are at most 4 MiB.`,
    isRead: true,
    params: idParams,
    body: chainReadsSchema,
    success: { status: 200, schema: chainAnswersSchema, description: 'The answers, in order.' },
    errors: [400, 404, 409],
    permission: 'networks:read',
  },
  followBlocks: {
    method: 'GET',
    path: '/v1alpha/networks/{id}/blocks',
    api: 'network',
    summary: 'Stream the newest block of a network',
    description:
      'Server-Sent Events; each has a ChainHead as JSON in data: first the newest block, then each later one, at most one per second. Blocks in between are omitted. A comment every 15 seconds keeps the connection open. All streams of a network share one subscription to its node. The stream ends when the network stops or starts a new chain, when the client reads nothing for 30 seconds, when the service restarts, and within seconds when the caller loses access. Neither wakes the network nor counts as activity: a network that is not Operational is refused with 409.',
    params: idParams,
    query: blockQuerySchema,
    success: {
      status: 200,
      schema: chainHeadEventSchema,
      contentType: 'text/event-stream',
      description: 'The stream. The schema is that of one server-sent event.',
    },
    errors: [400, 404, 409],
    permission: 'networks:read',
  },
} as const satisfies Record<string, Operation>;

const contractList = {
  method: 'GET',
  api: 'network',
  query: contractQuerySchema,
  success: { status: 200, schema: contractListSchema, description: 'A page of contracts.' },
  permission: 'networks:read',
} as const;

const known =
  'those whose sources were verified at the endpoint verify, and those that Slipway deployed with a token. It reads no chain, so that networks may be stopped, and stay so.';

/** What is known of contracts. */
export const contractOperations = {
  listContracts: {
    ...contractList,
    path: '/v1alpha/networks/{id}/contracts',
    summary: 'List the contracts of a network',
    description: `The contracts on its current chain that are known by name, ordered by address: ${known}`,
    params: idParams,
    errors: [404],
  },
  listWorkspaceContracts: {
    ...contractList,
    path: '/v1alpha/contracts',
    summary: 'List the contracts of all networks',
    description: `The contracts on the current chains of the workspace that are known by name, ordered by network and address: ${known}`,
    errors: [],
  },
} as const satisfies Record<string, Operation>;
