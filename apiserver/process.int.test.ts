import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { isSealed } from '../core/accounts/seal.ts';
import { adminUserId, labels } from '../core/api/names.ts';
import { eventually } from './testing/eventually.ts';
import {
  admission,
  apiserver,
  apply,
  aSecret,
  authorization,
  canary,
  data,
  kubeconfigPath,
  kubectl,
  namespace,
  openRequest,
  output,
  reviewAt,
  type Started,
  statusOf,
  stored,
  url,
  useProcesses,
} from './testing/processes.ts';

useProcesses();

describe('secrets created with kubectl', () => {
  it('are stored sealed, without plain bytes anywhere in the object', async () => {
    expect(apply(aSecret('by-kubectl', data))).toContain('created');
    const object = await stored('by-kubectl');
    expect(isSealed(object?.spec.data ?? '')).toBe(true);
    expect(JSON.stringify(object)).not.toContain(data);
    expect(JSON.stringify(object?.metadata.annotations)).toContain('(sealed)');
  });

  it('do not change if applied again, client-side or server-side', async () => {
    const before = await stored('by-kubectl');
    apply(aSecret('by-kubectl', data));
    apply(aSecret('by-kubectl', data), '--dry-run=server');
    expect(await stored('by-kubectl')).toEqual(before);
    apply(aSecret('by-kubectl', data), '--server-side', '--force-conflicts');
    expect((await stored('by-kubectl'))?.spec).toEqual(before?.spec);
  });

  it.each([
    ['not base64', 'no base64!', 'canonical base64'],
    ['empty data', '', 'is empty'],
  ])('%s is refused, naming but not quoting spec.data', async (_reason, wrong, message) => {
    const said = apply(aSecret('wrong', wrong));
    expect(said).toContain('spec.data');
    expect(said).toContain(message);
    if (wrong) expect(said).not.toContain(wrong);
    expect(await stored('wrong')).toBeUndefined();
  });

  it('a sealed text cannot be moved to another name', async () => {
    const sealed = (await stored('by-kubectl'))?.spec.data ?? '';
    expect(apply(aSecret('moved', sealed))).toContain('sealed for another owner, name or namespace');
    expect(await stored('moved')).toBeUndefined();
  });

  it('behave like those created over REST, which pass the same webhook', async () => {
    const body = JSON.stringify({ name: 'by-rest', type: 'private-key', data });
    const headers = { ...authorization, 'Content-Type': 'application/json' };
    const created = await fetch(`${url}/v1alpha/secrets`, { method: 'POST', headers, body });
    expect(created.status).toBe(201);
    const { id } = JSON.parse(await created.text());
    const read = await fetch(`${url}/v1alpha/secrets/${id}`, { headers });
    expect(JSON.parse(await read.text()).data).toBe(data);
  });
});

describe('a user of Kubernetes who may edit secrets', () => {
  const asEve = '--as=eve';
  const run = (...args: string[]) =>
    execFileSync(kubectl, ['--namespace', namespace, ...args], {
      env: { KUBECONFIG: kubeconfigPath, HOME: tmpdir() },
      stdio: 'pipe',
    });
  const owned = (name: string, owner: string, content: string) => {
    const secret = aSecret(name, content);
    return { ...secret, metadata: { ...secret.metadata, labels: { [labels.owner]: owner } } };
  };
  beforeAll(() => {
    run('create', 'role', 'editor', '--verb=*', '--resource=secrets.slipway.dev');
    run('create', 'rolebinding', 'editor', '--role=editor', '--user=eve');
  });

  it.each(['eve', adminUserId])('cannot create one that %s owns', async (owner) => {
    expect(apply(owned('claimed', owner, data), asEve)).toMatch(
      /Forbidden.*slipway\.dev\/owner says who owns this object/s,
    );
    expect(await stored('claimed')).toBeUndefined();
  });

  it("cannot take over another user's, and may change and restore it", async () => {
    const before = await stored('by-rest');
    const sealed = before?.spec.data ?? '';
    expect(apply(owned('by-rest', 'eve', sealed), asEve)).toMatch(
      /Forbidden.*slipway\.dev\/owner says who owns this object/s,
    );
    run('delete', 'secrets.slipway.dev', 'by-rest', asEve);
    expect(apply(owned('by-rest', 'eve', sealed), asEve)).toMatch(/Forbidden/);
    expect(apply(owned('by-rest', adminUserId, sealed), asEve)).toContain('created');
    expect((await stored('by-rest'))?.spec).toEqual(before?.spec);
  });
});

it('no part of a secret was logged', () => {
  expect(output).toContain('"audit":true');
  for (const text of [data, canary.toString('hex'), 'Bearer', 'first.secret'])
    expect(output).not.toContain(text);
});

it('each process exposes its own metrics', async () => {
  const textOf = async ({ healthUrl }: Started) => (await fetch(`${healthUrl}/metrics`)).text();
  const [ofApi, ofWebhook] = [await textOf(apiserver), await textOf(admission)];
  expect(ofApi).toMatch(/slipway_http_requests_total\{operation="createSecret",code="201"\} 1/);
  expect(ofWebhook).toMatch(/slipway_admission_reviews_total\{outcome="refused"\} \d/);
  expect(ofApi).not.toContain('slipway_admission');
  for (const text of [ofApi, ofWebhook]) expect(text).toContain('process_cpu_user_seconds_total');
});

it('after SIGTERM it is not ready, keeps serving for a while, completes requests in flight and exits 0', async () => {
  const { child, healthUrl } = apiserver;
  const half = openRequest();
  await eventually(
    async () => half.socket?.writableLength,
    (length) => length === 0,
  );
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await eventually(
    () => statusOf(`${healthUrl}/readyz`),
    (status) => status === 503,
  );
  expect(await statusOf(`${url}/v1alpha/networks`, authorization)).toBe(200);
  await eventually(
    () => statusOf(`${url}/v1alpha/networks`, authorization),
    (status) => status === 0,
  );
  half.end('"}');
  const [response] = await once(half, 'response');
  response.resume();
  expect(response.statusCode).toBe(400);
  expect(await exited).toEqual([0, null]);
});

it('after SIGTERM the webhook answers, asks the caller to go to another replica, and exits 0', async () => {
  const { child, healthUrl, ports } = admission;
  expect((await reviewAt(ports[0])).headers.connection).toBe('keep-alive');
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await eventually(
    () => statusOf(`${healthUrl}/readyz`),
    (status) => status === 503,
  );
  expect(await reviewAt(ports[0])).toMatchObject({ statusCode: 200, headers: { connection: 'close' } });
  expect(await exited).toEqual([0, null]);
});
