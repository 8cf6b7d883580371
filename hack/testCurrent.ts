import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureCluster } from './cluster/ensure.ts';
import { createKubectl, type Kubectl } from './cluster/kubectl.ts';
import { runProgram } from './lib/program.ts';
import { runSuite } from './suites/jest.ts';
import { summaryLines } from './suites/summary.ts';
import { registryUser, startRegistry } from './testing/registry.ts';
import { ensureTools } from './tools/ensure.ts';
import { namespaceManifest, releaseNamespace } from './up/names.ts';
import { bringUp } from './up/up.ts';

/** Those in which images are pulled: of the service, of engines, and in the namespaces of several workspaces. */
const tests = ['chart', 'lifecycle', 'tour', 'accounts'];
const pullSecret = 'test-registry';

/**
 * `node hack/testCurrent.ts`: the way of a user with a cluster and a registry of their own. The native node stands for the
 * cluster, and Debian's registry, which asks for a login, for the registry. `make up` afterwards installs as usual again.
 */
async function main(): Promise<void> {
  const cluster = await ensureCluster('native');
  const folder = mkdtempSync(join(tmpdir(), 'slipway-current-'));
  const registry = await startRegistry({ needsLogin: true });
  try {
    const { user, password } = registryUser;
    const auth = Buffer.from(`${user}:${password}`).toString('base64');
    const login = JSON.stringify({ auths: { [registry.host]: { username: user, password, auth } } });
    writeFileSync(join(folder, 'config.json'), login);
    writeFileSync(join(folder, 'values.json'), JSON.stringify({ imagePullSecrets: [{ name: pullSecret }] }));
    const { kubectl } = await ensureTools(['kubectl']);
    await createPullSecret(createKubectl(kubectl, cluster.kubeconfig), login);
    Object.assign(process.env, {
      KUBECONFIG: cluster.kubeconfig,
      GATEWAY_URL: cluster.gatewayUrl,
      YES: '1',
      REGISTRY: `${registry.host}/slipway`,
      DOCKER_CONFIG: folder,
      VALUES: join(folder, 'values.json'),
    });
    const env = { ...(await bringUp('current')) };
    const result = await runSuite('e2e', { env, files: tests.map((name) => `e2e/${name}.test.ts`) });
    for (const line of summaryLines([result])) console.log(line);
    if (result.failed > 0) process.exitCode = 1;
  } finally {
    await registry.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function createPullSecret(kubectl: Kubectl, login: string): Promise<void> {
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'kubernetes.io/dockerconfigjson',
    metadata: { name: pullSecret, namespace: releaseNamespace },
    stringData: { '.dockerconfigjson': login },
  };
  for (const manifest of [namespaceManifest, secret]) {
    await kubectl.run(['apply', '--server-side', '--force-conflicts', '-f', '-'], JSON.stringify(manifest));
  }
}

runProgram(main);
