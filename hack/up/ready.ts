import { setTimeout as sleep } from 'node:timers/promises';
import { run, UserError } from '../lib/run.ts';
import { type ApiAccess, callApi } from './api.ts';
import { releaseName, releaseNamespace } from './names.ts';
import type { HelmTools } from './release.ts';

const intervalMs = 250;

/** The administrator's API key that the chart generated. */
export async function readBootstrapKey(tools: HelmTools): Promise<{ keyId: string; keySecret: string }> {
  const args = ['-n', releaseNamespace, 'get', 'secret', `${releaseName}-bootstrap`, '-o', 'json'];
  const json = await run(tools.kubectl, args, { env: { KUBECONFIG: tools.kubeconfig } });
  const { data } = JSON.parse(json) as { data: Record<string, string> };
  const read = (name: string): string => Buffer.from(data[name] ?? '', 'base64').toString('utf8');
  return { keyId: read('keyId'), keySecret: read('keySecret') };
}

/**
 * Waits until the API serves an authenticated request through the ingress, and returns the first of the keys that it
 * accepts. Throws UserError with the last response, or with the remedy when it refuses all of them.
 */
export async function waitForApi(
  url: string,
  keys: readonly ApiKey[],
  limits = defaultLimits,
): Promise<ApiKey> {
  const deadlineMs = Date.now() + limits.allMs;
  let refusedMs = 0;
  for (;;) {
    const states: string[] = [];
    // In turn: a key of the environment, which may be for another installation, is sent only where it is needed.
    for (const key of keys) {
      states.push(await probe({ url, ...key }));
      if (states.at(-1) === 'ready') return key;
    }
    refusedMs = states.every((state) => state === 'refused') ? refusedMs || Date.now() : 0;
    if (refusedMs > 0 && Date.now() - refusedMs >= limits.refusedMs) throw allRefused(url);
    if (Date.now() > deadlineMs) {
      throw new UserError(
        `The API at ${url} is not reachable: ${states[0]}\nWhat to do: check the ingress and the pods with \`make status\`; on a cluster of your own, GATEWAY_URL must be the URL of its ingress`,
      );
    }
    await sleep(intervalMs);
  }
}

type ApiKey = Pick<ApiAccess, 'keyId' | 'keySecret'>;

/** An API server of the release before may answer for a moment. */
const defaultLimits = { allMs: 90_000, refusedMs: 5_000 };

/** An API key as one text, `<id>.<secret>`; undefined if it has another form. */
export function keyOfToken(token = ''): ApiKey | undefined {
  const [keyId = '', keySecret = ''] = token.split('.');
  return keyId && keySecret ? { keyId, keySecret } : undefined;
}

function allRefused(url: string): UserError {
  return new UserError(
    `Slipway is installed and answers at ${url}, but its first API key is revoked, which the demo, the command line and the tests would use.\nWhat to do: create an API key of an owner of the default workspace in the console, and run \`SLIPWAY_API_KEY=<key> make up\`; it is kept in .slipway/env`,
  );
}

async function probe(access: ApiAccess): Promise<string> {
  try {
    const { status, body } = await callApi(access, { path: '/v1alpha/networks?limit=1' });
    if (status === 401) return 'refused';
    return status === 200 ? 'ready' : `HTTP ${status} ${String(body.message ?? '')}`;
  } catch (error) {
    return error instanceof Error ? String(error.cause ?? error.message) : String(error);
  }
}
