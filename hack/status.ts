import { builderStatus } from './builder/status.ts';
import { runProgram } from './lib/program.ts';
import { UserError } from './lib/run.ts';
import { callApi } from './up/api.ts';
import { readClusterAccess, readEnvironment } from './up/environment.ts';
import { showKubectl } from './up/kubectl.ts';
import { releaseNamespace } from './up/names.ts';

/** `node hack/status.ts`: shows the nodes, the service's pods, all networks and whether the API is reachable. */
async function main(): Promise<void> {
  const environment = readClusterAccess();
  const show = (...args: string[]) => showKubectl(environment.KUBECONFIG, ['--request-timeout=5s', ...args]);
  console.log(`cluster (KUBECONFIG=${environment.KUBECONFIG})`);
  if ((await show('get', 'nodes')) !== 0)
    throw new UserError('The cluster does not respond: run `make up` to start it.');
  console.log('\nservice');
  await show('-n', releaseNamespace, 'get', 'deployments,pods,ingress');
  console.log('\nnetworks');
  await show('get', 'networks.slipway.dev', '--all-namespaces');
  console.log(['\nengines', ...(await builderStatus(environment.KUBECONFIG))].join('\n'));
  console.log(`\nAPI at ${environment.SLIPWAY_URL}: ${await apiState()}`);
}

async function apiState(): Promise<string> {
  try {
    const {
      SLIPWAY_URL: url,
      SLIPWAY_API_KEY_ID: keyId,
      SLIPWAY_API_KEY_SECRET: keySecret,
    } = readEnvironment();
    const { status } = await callApi({ url, keyId, keySecret }, { path: '/v1alpha/networks?limit=1' });
    return status === 200 ? 'reachable' : `HTTP ${status}`;
  } catch (error) {
    return `not reachable (${error instanceof Error ? String(error.cause ?? error.message) : error})`;
  }
}

runProgram(main);
