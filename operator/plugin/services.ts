import type { Step } from '../../core/deploy/step.ts';
import { AppError, messageOf } from '../../core/lib/errors.ts';
import type { PluginStep, ServiceAnswer, ServiceRequest } from '../../core/plugins/plugin.ts';

/** Calls a service of a network, by the network's uid. Rejects with Unavailable while the service cannot be reached. */
export type CallService = (
  networkUid: string,
  service: string,
  request: ServiceRequest,
) => Promise<ServiceAnswer>;

const timeoutMs = 15_000;
/** Answers to requests of plugins are small, and become outputs of deployments. */
const maxBytes = 256 * 1024;

/** `urlOf`: the URL of the pod behind a service; undefined while none is ready. */
export function createCallService(
  urlOf: (networkUid: string, service: string) => string | undefined,
): CallService {
  return async (networkUid, service, { method, path, headers = {}, body }) => {
    const url = urlOf(networkUid, service);
    if (!url) throw away(service, 'its pod is not ready');
    try {
      const response = await fetch(`${url}${path}`, {
        method,
        headers,
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
        ...(body === undefined ? {} : { body }),
      });
      return { status: response.status, headers: headersOf(response), body: await textOf(response) };
    } catch (error) {
      // The causes of fetch name hosts and ports, never what was sent.
      throw away(service, messageOf(error));
    }
  };
}

function away(service: string, reason: string): AppError {
  return new AppError('Unavailable', `the service ${service} cannot be reached: ${reason}`, {
    retryAfterSeconds: 2,
  });
}

function headersOf({ headers }: Response): Record<string, string> {
  const cookies = headers.getSetCookie();
  return {
    ...Object.fromEntries(headers),
    ...(cookies.length > 0 ? { 'set-cookie': cookies.join('\n') } : {}),
  };
}

async function textOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new Error(`its answer has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** A plugin's step as the runner knows steps: what a service answers is read again at each run, like the chain. */
export function runnable(step: PluginStep, callService: CallService): Step {
  if (step.kind !== 'service') return step;
  const { network, name, title, after, service, request, read } = step;
  return {
    kind: 'inspect',
    network,
    name,
    title,
    after,
    inspect: async (known) => read(await callService(network, service, request(known))),
  };
}
