import { serverSentEventSchema } from '../events/envelope.ts';
import { eventQuerySchema } from '../rest/events.ts';
import { selectableLabels } from '../userLabels.ts';
import type { Operation } from './operation.ts';

export const eventOperations = {
  streamEvents: {
    method: 'GET',
    path: '/v1alpha/events',
    api: 'network',
    summary: 'Stream the events of the workspace',
    description:
      'Server-Sent Events; each has an Event as JSON in data. First all existing objects (types that end in .present), then stream.ready, then changes as they happen, each once and in order for each object. With Last-Event-ID, the stream resumes where it ended, on any replica. If changes since then are lost (Kubernetes keeps five minutes of them), it starts again with stream.reset and all existing objects. A heartbeat every 15 seconds has an id. The stream ends when the service restarts, when the client reads nothing for 30 seconds, and within seconds when the caller loses access. It contains only objects that the API key may read. Neither wakes a network nor counts as activity.',
    query: eventQuerySchema,
    hasLastEventId: true,
    selectable: ['id', 'network_id', 'metadata.name', 'metadata.ownerID', selectableLabels],
    success: {
      status: 200,
      schema: serverSentEventSchema,
      contentType: 'text/event-stream',
      description: 'The stream. The schema is that of one server-sent event.',
    },
    errors: [400, 404],
    permission: 'networks:read',
  },
} as const satisfies Record<string, Operation>;
