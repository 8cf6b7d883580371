import type { Feature } from '../../core/api/feature.ts';
import { idParams, type Operation } from '../../core/api/operations/operation.ts';
import { callListSchema, callQuerySchema, callSchema, callSwitchSchema } from './api/calls.ts';

const operations = {
  getNetworkCalls: {
    method: 'GET',
    path: '/v1alpha/networks/{id}/calls',
    api: 'network',
    summary: 'See the last calls to a network',
    description:
      'The last 1,000 JSON-RPC calls of its users, over HTTP and WebSocket, with what failed and why. They are in the memory of the gateway, from when they were switched on until they are switched off, the network is deleted or the service restarts; an account with many loses its oldest first. Does not wake a stopped network, and does not count as activity.',
    params: idParams,
    query: callQuerySchema,
    success: { status: 200, schema: callListSchema, description: 'The last calls, oldest first.' },
    errors: [400, 404],
    permission: 'logs:read',
  },
  switchNetworkCalls: {
    method: 'PUT',
    path: '/v1alpha/networks/{id}/calls',
    api: 'network',
    summary: 'Switch on or off that the calls to a network are kept',
    description:
      'Off by default. Sets the annotation slipway.dev/keep-calls of the network, and neither restarts nor wakes it. Open WebSockets follow. When it is switched off, the calls are forgotten.',
    params: idParams,
    body: callSwitchSchema,
    success: { status: 200, schema: callSwitchSchema, description: 'Whether they are kept now.' },
    errors: [404, 409],
    permission: 'networks:write',
  },
} as const satisfies Record<string, Operation>;

/** Keeps the last calls to networks, for those who want to see them. */
export const feature = {
  groups: [{ name: 'Networks', operations, reads: ['Network'] }],
  schemas: { Call: callSchema, CallList: callListSchema, CallSwitch: callSwitchSchema },
  examples: {
    getNetworkCalls: {
      response: {
        kind: 'CallList',
        version: 'v1alpha',
        enabled: true,
        items: [
          {
            id: 'k3v9q2-41',
            time: '2031-01-31T12:00:00.250Z',
            service: 'rpc',
            transport: 'http',
            key: 'public',
            method: 'eth_call',
            params: '[{"to":"0x5fbdb2315678afecb367f032d93f642f64180aa3","data":"0x"},"latest"]',
            durationMs: 12,
            error: { code: 3, message: 'execution reverted' },
          },
        ],
        missingReplicas: 0,
      },
    },
    switchNetworkCalls: { request: { enabled: true }, response: { enabled: true } },
  },
} as const satisfies Feature;
