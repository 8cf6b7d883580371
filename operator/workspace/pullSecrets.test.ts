import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { userType, workspaceType } from '../../core/api/resources/resources.ts';
import { aUser, aWorkspace } from '../../core/api/testing/accountBuilders.ts';
import { createFakeKube } from '../../core/kube/testing/fake/fake.ts';
import { coreSecretType } from '../../core/kube/types.ts';
import { createPullSecrets } from './pullSecrets.ts';
import { startAccountsOperator, whenWorkspace } from './testing/world.ts';

describe('pull secrets', () => {
  const login = (password: string) => JSON.stringify({ auths: { 'registry.example': { password } } });
  const secretIn = (kube: ReturnType<typeof createFakeKube>, namespace: string) =>
    kube.get(coreSecretType, { namespace, name: 'registry' });
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-pull-secrets-'));
    writeFileSync(join(folder, 'registry.json'), login('one'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const start = async (kube = createFakeKube()) => {
    await kube.create(userType, aUser());
    const workspaces = { pullSecrets: ['registry', 'missing'] };
    return { kube, operator: await startAccountsOperator(kube, { workspaces, pullSecretsFolder: folder }) };
  };

  it('are in the namespace of a workspace before it is ready', async () => {
    const { kube, operator } = await start();
    await kube.create(workspaceType, aWorkspace());
    await whenWorkspace(operator, 'Ready');
    await operator.stop();
    const data = { '.dockerconfigjson': Buffer.from(login('one')).toString('base64') };
    expect(await secretIn(kube, 'slipway-team')).toMatchObject({
      type: 'kubernetes.io/dockerconfigjson',
      data,
    });
    expect(await kube.get(coreSecretType, { namespace: 'slipway-team', name: 'missing' })).toBeUndefined();
  });

  it('are in the namespace of the default workspace', async () => {
    const { kube, operator } = await start();
    await kube.create(workspaceType, aWorkspace({ name: 'default' }));
    await whenWorkspace(operator, 'Ready', 'default');
    await operator.stop();
    expect(await secretIn(kube, 'slipway-default')).toBeDefined();
  });

  it('are written again only when they change', async () => {
    const { kube, operator } = await start();
    await operator.stop();
    const copy = createPullSecrets({ ...operator.deps, kube });
    await copy('slipway-team');
    const first = await secretIn(kube, 'slipway-team');
    await copy('slipway-team');
    expect((await secretIn(kube, 'slipway-team'))?.metadata.resourceVersion).toBe(
      first?.metadata.resourceVersion,
    );
    writeFileSync(join(folder, 'registry.json'), login('two'));
    await copy('slipway-team');
    expect((await secretIn(kube, 'slipway-team'))?.data).not.toEqual(first?.data);
  });
});
