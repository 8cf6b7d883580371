import type { Request, Response, Router } from 'express';
import { gatewayPrefixes } from '../../../core/api/operations/operation.ts';
import { operationIds, operationOf } from '../../../core/api/operations/operations.ts';
import { AppError } from '../../../core/lib/errors.ts';
import { sendError } from './errors.ts';
import type { Observe } from './requestMetrics.ts';
import type { Run } from './run.ts';

/** Mounts every operation at its direct path and behind the gateway prefix of its API; other methods get 405. */
export function mountOperations(router: Router, run: Run, observe: Observe): void {
  const methodsByPath = new Map<string, Set<string>>();
  for (const id of operationIds) {
    const { api, method, path } = operationOf(id);
    const pattern = path.replace(/\{(\w+)\}/g, ':$1');
    for (const fullPath of [pattern, `${gatewayPrefixes[api]}${pattern}`]) {
      const methods = methodsByPath.get(fullPath) ?? new Set();
      methodsByPath.set(fullPath, methods.add(method));
      mount(
        router,
        method,
        fullPath,
      )((request, response) => {
        observe(response, id);
        return run(id, request, response);
      });
    }
  }
  for (const [path, methods] of methodsByPath) router.all(path, refuseMethod(allowOf(methods), observe));
}

type RouteHandler = (request: Request, response: Response) => Promise<void>;

function mount(router: Router, method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string) {
  return (handler: RouteHandler): void => {
    if (method === 'GET') router.get(path, handler);
    if (method === 'POST') router.post(path, handler);
    if (method === 'PUT') router.put(path, handler);
    if (method === 'DELETE') router.delete(path, handler);
  };
}

/** express answers HEAD wherever it answers GET. */
function allowOf(methods: ReadonlySet<string>): string {
  return [...methods].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
}

function refuseMethod(allow: string, observe: Observe) {
  return (request: Request, response: Response): void => {
    observe(response, 'none');
    response.setHeader('Allow', allow);
    const error = new AppError('MethodNotAllowed', `method ${request.method} not allowed; allowed: ${allow}`);
    sendError(response, error, String(response.getHeader('X-Request-ID')));
  };
}
