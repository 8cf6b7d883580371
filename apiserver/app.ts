import type { RequestListener, ServerResponse } from 'node:http';
import express, { type Router } from 'express';
import type { Clock } from '../core/lib/clock.ts';
import { AppError } from '../core/lib/errors.ts';
import type { Log } from '../core/lib/log.ts';
import type { Metrics } from '../core/lib/metrics.ts';
import type { Tracer } from '../core/tracing/tracing.ts';
import type { ServeConsole } from './console/console.ts';
import type { AuditedRequest } from './http/auth/audit.ts';
import type { Authenticate } from './http/auth/auth.ts';
import type { Once } from './http/idempotency/once.ts';
import type { CallerLimits } from './http/limits/callerLimits.ts';
import { createFloodGate } from './http/limits/floodGate.ts';
import { withSource } from './http/limits/source.ts';
import { logFailure, sendError, toPublicError } from './http/pipeline/errors.ts';
import type { AllHandlers } from './http/pipeline/handler.ts';
import { requestIdOf } from './http/pipeline/requestId.ts';
import { createObserve, type Observe } from './http/pipeline/requestMetrics.ts';
import { mountOperations } from './http/pipeline/routes.ts';
import { createRun, type RunnerDeps } from './http/pipeline/run.ts';
import { setSecurityHeaders } from './http/pipeline/securityHeaders.ts';
import { mountMcp } from './mcp/mcp.ts';

export interface AppDeps {
  handlers: AllHandlers;
  authenticate: Authenticate;
  /** Handles the Idempotency-Key header; if absent, the header is ignored. */
  once?: Once;
  /** Keeps what callers did for the audit lists of workspaces. */
  recordAudit?: ((request: AuditedRequest) => void) | undefined;
  /** Mounts the public routes beside the operations: the API description and its page. */
  mountDocuments?: (router: Router) => void;
  /** Answers what browsers open as pages. If absent, there is no console. */
  serveConsole?: ServeConsole | undefined;
  /** The limits on callers. A caller over its rate limit is rejected before any work is done. */
  limits: CallerLimits;
  /** What any replica has acknowledged is in the caches when a handler begins. */
  reads: RunnerDeps['reads'];
  /** Nothing is traced if absent. */
  tracer?: Tracer;
  log: Log;
  metrics: Metrics;
  clock: Clock;
}

/** The REST API, not yet listening. */
export function createApp(deps: AppDeps): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  const observe = createObserve(deps.metrics, deps.clock);
  const router = createRouter(deps, observe);
  // The router passes on what its handlers throw.
  app.use((request, response) => {
    withSource(deps.limits.sourceOf(request), () =>
      router(request, response, (error: unknown) => answerError(deps.log, response, error)),
    );
  });
  const refuseFlood = createFloodGate(deps.limits.accountRate, deps.clock);
  // Before express, which costs a flood's requests more than their refusals.
  return (request, response) => {
    response.setHeader('X-Request-ID', requestIdOf(request.headers['x-request-id']));
    setSecurityHeaders(response);
    const refusal = refuseFlood(request.headers);
    if (!refusal) return void app(request, response);
    observe(response, 'limited');
    if (refusal === 'close') return void response.destroy();
    void refusal.then((error) => answerError(deps.log, response, error));
  };
}

function createRouter(deps: AppDeps, observe: Observe): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  router.use((request, response, next) => {
    if (!deps.serveConsole?.(request, response)) next();
  });
  deps.mountDocuments?.(router);
  mountMcp(router, deps);
  mountOperations(router, createRun(deps), observe);
  router.use((_request, response) => {
    observe(response, 'none');
    answerError(
      deps.log,
      response,
      new AppError('NotFound', 'path not found: the paths of the API are listed in /openapi.json'),
    );
  });
  return router;
}

function answerError(log: Log, response: ServerResponse, error: unknown): void {
  const requestId = String(response.getHeader('X-Request-ID'));
  const publicError = toPublicError(error);
  logFailure(log.with({ requestId }), publicError);
  sendError(response, publicError, requestId);
}
