import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Span } from '../../../core/tracing/spans.ts';
import { noTracer, type Tracer } from '../../../core/tracing/tracing.ts';
import type { Admitted } from '../core.ts';
import type { RpcGatewayDeps } from '../deps.ts';
import type { CallOutcome } from '../metrics.ts';

/** What came of a request to the gateway. */
export interface Answered {
  admitted: Admitted | undefined;
  outcome: CallOutcome;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<Answered>;

/** Answers each request in a span. It has neither the path, in which the access key is, nor anything that is sent. */
export function traceRequests(deps: Pick<RpcGatewayDeps, 'tracer' | 'networks'>, answer: Answer) {
  const { tracer = noTracer, networks } = deps;
  if (tracer === noTracer) return answer;
  const note = (span: Span, { statusCode }: ServerResponse, { admitted, outcome }: Answered) => {
    const network = admitted && networks.find(admitted.networkUid);
    span.set({
      'http.response.status_code': statusCode,
      'slipway.outcome': outcome,
      'slipway.network': network?.id,
      'slipway.service': admitted?.service,
      'k8s.namespace.name': network?.namespace,
    });
    if (statusCode >= 500) span.fail('Unavailable');
  };
  return (request: IncomingMessage, response: ServerResponse) =>
    tracer.run(spanOf(tracer, request), async (span) => {
      const answered = await answer(request, response);
      note(span, response, answered);
      return answered;
    });
}

function spanOf(tracer: Tracer, { method = '', headers }: IncomingMessage) {
  const parent = tracer.callerOf(headers);
  return { name: 'gateway', kind: 'server', parent, attributes: { 'http.request.method': method } } as const;
}
