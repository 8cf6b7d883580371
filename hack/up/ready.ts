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

/** Waits until the API serves an authenticated request through the ingress. Throws UserError with the last response. */
export async function waitForApi(access: ApiAccess, limitMs = 90_000): Promise<void> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const state = await probe(access);
    if (state === 'ready') return;
    if (Date.now() > deadline) {
      throw new UserError(
        `The API at ${access.url} is not reachable: ${state}\nWhat to do: check the ingress and the pods with \`make status\``,
      );
    }
    await sleep(intervalMs);
  }
}

async function probe(access: ApiAccess): Promise<string> {
  try {
    const { status, body } = await callApi(access, { path: '/v1alpha/networks?limit=1' });
    return status === 200 ? 'ready' : `HTTP ${status} ${String(body.message ?? '')}`;
  } catch (error) {
    return error instanceof Error ? String(error.cause ?? error.message) : String(error);
  }
}
