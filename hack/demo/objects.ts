import { randomBytes } from 'node:crypto';
import { UserError } from '../lib/run.ts';
import { type ApiAccess, type ApiAnswer, callApi } from '../up/api.ts';

const secretsPath = '/v1alpha/secrets';
const networksPath = '/v1alpha/networks';

export interface DemoNetwork {
  id: string;
  isNew: boolean;
}

/** The key of secret `name` as 0x-prefixed hexadecimal: a new random key, or the one that an earlier demo stored. */
export async function ensureKey(access: ApiAccess, name: string): Promise<string> {
  const data = randomBytes(32).toString('base64');
  const created = await callApi(access, {
    method: 'POST',
    path: secretsPath,
    body: { name, type: 'ethereum-private-key', data },
  });
  if (created.status === 201) return hexOf(data);
  if (created.status !== 409) throw unexpectedResponse('creating a secret', created);
  const id = await findByName(access, secretsPath, name);
  const found = await callApi(access, { path: `${secretsPath}/${id}` });
  if (found.status !== 200 || typeof found.body.data !== 'string')
    throw unexpectedResponse('reading a secret', found);
  return hexOf(found.body.data);
}

/** Creates network `name` with the secret `secretName` as its hot key, or returns the existing one unchanged. */
export async function ensureNetwork(
  access: ApiAccess,
  name: string,
  secretName: string,
): Promise<DemoNetwork> {
  const spec = { chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: secretName } } } };
  const created = await callApi(access, { method: 'POST', path: networksPath, body: { name, spec } });
  if (created.status === 201) return { id: String(created.body.id), isNew: true };
  if (created.status !== 409) throw unexpectedResponse('creating a network', created);
  return { id: await findByName(access, networksPath, name), isNew: false };
}

/** The URLs of a network, by service name. */
export async function readEndpoints(access: ApiAccess, id: string): Promise<Record<string, string>> {
  const answer = await callApi(access, { path: `${networksPath}/${id}/endpoints` });
  const { map } = answer.body;
  if (answer.status !== 200 || typeof map !== 'object' || map === null) {
    throw unexpectedResponse('reading endpoints', answer);
  }
  return Object.fromEntries(Object.entries(map).map(([service, url]) => [service, String(url)]));
}

/** An error that describes an unexpected API response. */
export function unexpectedResponse(action: string, { status, body }: ApiAnswer): UserError {
  const message = body.message ?? body.text ?? '';
  return new UserError(
    `${action} failed: HTTP ${status} ${String(message)} ${JSON.stringify(body.details ?? '')}`,
  );
}

async function findByName(access: ApiAccess, path: string, name: string): Promise<string> {
  let cursor = '';
  do {
    const query = cursor ? `?cursor=${encodeURIComponent(cursor)}` : '';
    const page = await callApi(access, { path: `${path}${query}` });
    if (page.status !== 200) throw unexpectedResponse(`listing ${path}`, page);
    const { items, metadata } = page.body as {
      items: { id: string; name: string }[];
      metadata?: { cursor?: string };
    };
    const found = items.find((item) => item.name === name);
    if (found) return found.id;
    cursor = metadata?.cursor ?? '';
  } while (cursor);
  throw new UserError(
    `the name "${name}" is taken, but GET ${path} does not list it: it belongs to another user`,
  );
}

function hexOf(base64: string): string {
  return `0x${Buffer.from(base64, 'base64').toString('hex')}`;
}
