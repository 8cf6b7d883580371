import { randomBytes } from 'node:crypto';
import { releaseNamespace } from '../../hack/up/names.ts';
import { kubectl, namespace } from '../lib/cluster.ts';

/** What a Kubernetes user with every right in their own namespaces, or the operator's stolen token, tries. */
const id = randomBytes(3).toString('hex');
const tenant = `tenant-${id}`;
const name = `attack-${id}`;
const operator = `system:serviceaccount:${releaseNamespace}:slipway-operator`;

const secretOf = (owner?: string) => ({
  apiVersion: 'slipway.dev/v1alpha1',
  kind: 'Secret',
  metadata: { name, ...(owner ? { labels: { 'slipway.dev/owner': owner } } : {}) },
  spec: { type: 'note', data: 'YXR0YWNr' },
});
const networkIn = (where: string) => ({
  apiVersion: 'slipway.dev/v1alpha1',
  kind: 'Network',
  metadata: { name, namespace: where },
  spec: { chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name } } } },
});
const apply = (object: object, ...flags: string[]) =>
  kubectl(['apply', '--namespace', namespace, ...flags, '-f', '-'], JSON.stringify(object));

beforeAll(async () => {
  const args = ['create', 'rolebinding', tenant, '--clusterrole=admin', `--user=${tenant}`];
  expect((await kubectl(args)).stderr).toBe('');
});
afterAll(async () => {
  await kubectl(['delete', 'rolebinding', tenant, '--ignore-not-found']);
  await kubectl(['delete', 'secrets.slipway.dev', name, '--ignore-not-found']);
});

it('a tenant cannot take over a secret, or make one that seems to be of somebody else', async () => {
  const as = `--as=${tenant}`;
  const forged = await apply(secretOf('admin'), as);
  expect(forged.stderr).toContain('slipway.dev/owner says who owns this object');
  expect((await apply(secretOf(), as)).code).toBe(0);
  const taken = await kubectl(['label', 'secrets.slipway.dev', name, `slipway.dev/owner=${tenant}`, as]);
  expect(taken.stderr).toContain('slipway.dev/owner says who owns this object');
});

it('a network outside a workspace is refused at once, and the message says where it belongs', async () => {
  const answer = await kubectl(
    ['apply', '-f', '-', '--namespace', 'default'],
    JSON.stringify(networkIn('default')),
  );
  expect(answer.stderr).toContain('namespace default does not belong to a workspace of Slipway');
  expect(answer.stderr).toContain('kubectl get namespaces -l slipway.dev/workspace');
});

it('the operator cannot give itself its rights in kube-system', async () => {
  const role = `slipway-operator-workspace.${releaseNamespace}`;
  const subject = `--serviceaccount=${releaseNamespace}:slipway-operator`;
  const args = ['create', 'rolebinding', name, `--clusterrole=${role}`, subject, `--as=${operator}`];
  const answer = await kubectl([...args, '--namespace', 'kube-system', '--dry-run=server']);
  expect(answer.stderr).toContain('only in namespaces that it created');
});
