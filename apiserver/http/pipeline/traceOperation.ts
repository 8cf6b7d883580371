import type { Request, Response } from 'express';
import { type OperationId, operationOf } from '../../../core/api/operations/operations.ts';
import type { Span } from '../../../core/tracing/spans.ts';
import { currentTraceparent, type Tracer } from '../../../core/tracing/tracing.ts';
import type { Principal } from '../auth/principal.ts';

/** What came of a request. */
export interface Ran {
  principal: Principal | undefined;
  /** `ok`, or the reason of the Error. */
  outcome: string;
}

type RunOnce = (id: OperationId, request: Request, response: Response) => Promise<Ran>;

/** Runs each operation in a span: that of the caller continues if there is one, and the answer says which it is. */
export function traceOperations(tracer: Tracer, run: RunOnce) {
  return (id: OperationId, request: Request, response: Response): Promise<void> => {
    const { method, path } = operationOf(id);
    const parent = tracer.callerOf(request.headers);
    const attributes = { 'http.request.method': method, 'http.route': path, 'slipway.operation': id };
    return tracer.run({ name: 'request', kind: 'server', parent, attributes }, async (span) => {
      const traceparent = currentTraceparent();
      if (traceparent !== undefined) response.setHeader('traceparent', traceparent);
      note(span, response, await run(id, request, response));
    });
  };
}

/** A caller's mistake is not a failure of the service. */
function note(span: Span, { statusCode }: Response, { principal, outcome }: Ran): void {
  span.set({
    'http.response.status_code': statusCode,
    'slipway.outcome': outcome,
    'slipway.workspace': principal?.workspaceId,
  });
  if (statusCode >= 500) span.fail(outcome);
}
