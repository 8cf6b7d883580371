import {
  blockQuerySchema,
  chainAnswersSchema,
  chainHeadEventSchema,
  chainReadsSchema,
  maxReads,
} from '../rest/chain.ts';
import { idParams, type Operation } from './operation.ts';

/** What explorers ask of a chain. */
export const chainOperations = {
  readChain: {
    method: 'POST',
    path: '/v1alpha/networks/{id}/chain',
    api: 'network',
    summary: 'Read the chain of a network',
    description: `At most ${maxReads} calls of its node, from a list of methods that read. Neither wakes the network nor counts as activity: a network that is not Operational is refused with 409, which addresses alone are not. A call that fails does not fail the others. All answers together have at most 4 MiB.`,
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
      'Server-Sent Events; each has a ChainHead as JSON in data: first the newest block, then each later one, at most one per second. Blocks in between are left out. A comment every 15 seconds keeps the connection open. All streams of a network share one subscription at its node. The stream ends when the network stops or begins another chain, when the client takes nothing for 30 seconds, when the service restarts, and within seconds when the caller loses access. Neither wakes the network nor counts as activity: a network that is not Operational is refused with 409.',
    params: idParams,
    query: blockQuerySchema,
    success: {
      ...{ status: 200, schema: chainHeadEventSchema, contentType: 'text/event-stream' },
      description: 'The stream. The schema is that of one server-sent event.',
    },
    errors: [400, 404, 409],
    permission: 'networks:read',
  },
} as const satisfies Record<string, Operation>;
