import { getJson, kubectl } from '../lib/cluster.ts';
import { reach } from '../lib/networks.ts';
import { type Answer, call, freshName, until } from '../lib/service.ts';

export const minuteMs = 60_000;

/** Creates a secret from raw bytes and returns its name. */
export async function createSecret(bytes: Uint8Array): Promise<string> {
  const name = freshName('key');
  const body = { name, type: 'private-key', data: Buffer.from(bytes).toString('base64') };
  const { status, body: answer } = await call('POST', '/v1alpha/secrets', { body });
  if (status !== 201) throw new Error(`the secret was rejected: ${JSON.stringify(answer)}`);
  return name;
}

/** Creates a network of `type`; `extra` is added to its spec next to the chain. */
export function ask(type: string, chain: object, extra: object = {}): Promise<Answer> {
  const spec = { ...extra, chain: { type, [type.toLowerCase()]: chain } };
  return call('POST', '/v1alpha/networks', { body: { name: freshName('fam'), spec } });
}

/** Submits an EVM transaction to a network. */
export function submitEvm(id: string): Promise<Answer> {
  const nobody = `0x${'00'.repeat(20)}`;
  const item = { from: nobody, to: nobody, value: '1', data: '0x' };
  const body = { transactions_by_network: { [id]: [item] } };
  return call('POST', '/transaction/v1alpha1/transaction/submit', { body });
}

/** Creates a network of `type`, waits until it is Operational and returns its id. */
export async function start(type: string, chain: object, extra: object = {}): Promise<string> {
  const { status, body } = await ask(type, chain, extra);
  if (status !== 201) throw new Error(`the network was rejected: ${JSON.stringify(body)}`);
  await reach(body.id, 'Operational', 2 * minuteMs);
  return body.id;
}

/** Changes a network's spec with PUT and waits until it is Operational and `isDone`. */
export async function change(
  id: string,
  edit: (spec: Answer['body']) => object,
  isDone: (status: Answer['body']) => boolean,
): Promise<Answer['body']> {
  const { body } = await call('GET', `/v1alpha/networks/${id}`);
  const spec = { ...body.spec, ...edit(body.spec) };
  const { status } = await call('PUT', `/v1alpha/networks/${id}`, { body: { name: body.name, spec } });
  if (status !== 200) throw new Error(`the change was rejected with ${status}`);
  const after = await until(
    'the change',
    () => call('GET', `/v1alpha/networks/${id}`),
    ({ body: { status: now } }) => now?.state === 'Operational' && isDone(now),
    2 * minuteMs,
  );
  return after.body;
}

/** Requests maintenance and waits until it has taken effect. */
export function maintain(id: string, action: string, nonce: number): Promise<Answer['body']> {
  const isDone = (status: Answer['body']) => status.observedMaintenanceNonce === nonce;
  return change(id, () => ({ maintenanceRequest: { action, nonce } }), isDone);
}

/** Makes a network's idle time expire and waits until it has stopped. Reads it with kubectl, since REST would wake it. */
export async function stopIdle(id: string): Promise<void> {
  const { body } = await call('GET', `/v1alpha/networks/${id}`);
  const patch = JSON.stringify({ status: { lastWakeUpAt: '2020-01-01T00:00:00Z' } });
  const args = ['patch', 'networks.slipway.dev', body.name, '--subresource=status', '--type=merge'];
  const { code, stderr } = await kubectl([...args, '--patch', patch]);
  if (code !== 0) throw new Error(stderr);
  await until(
    `${id} in Stopped`,
    () => getJson('networks.slipway.dev', body.name),
    ({ status }) => status.state === 'Stopped',
  );
}

/** Deletes all pods of a network. */
export async function losePods(id: string): Promise<void> {
  const { code, stderr } = await kubectl([
    'delete',
    'pods',
    '--selector',
    `slipway.dev/network=${id}`,
    '--wait=true',
  ]);
  if (code !== 0) throw new Error(stderr);
}

/** Waits until no object of a network is left in the cluster. */
export async function untilNothingIsLeft(id: string): Promise<void> {
  const kinds = 'pods,services,configmaps,secrets,persistentvolumeclaims';
  await until(
    `all children of ${id} to be deleted`,
    () => kubectl(['get', kinds, '--selector', `slipway.dev/network=${id}`, '--output', 'name']),
    ({ stdout }) => stdout.trim() === '',
  );
}
