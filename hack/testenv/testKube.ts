import { createKube, type KubeClient, type KubeOptions } from '../../core/kube/client/client.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { silentLog } from '../../core/lib/log.ts';

/** Name of the environment variable with the path of the kubeconfig of the environment under test. */
export const KUBECONFIG_VARIABLE = 'SLIPWAY_TEST_KUBECONFIG';

/** Path of the kubeconfig of the kube-apiserver under test, as its administrator; throws when none runs. */
export function testKubeconfig(): string {
  const path = process.env[KUBECONFIG_VARIABLE];
  if (!path) throw new Error(`${KUBECONFIG_VARIABLE} is not set: no test environment is running`);
  return path;
}

/** A client of the kube-apiserver under test, silent and on the system's clock unless told; the caller closes it. */
export function createTestKube(options: Partial<Omit<KubeOptions, 'kubeconfigPath'>> = {}): KubeClient {
  return createKube({ log: silentLog, clock: systemClock, ...options, kubeconfigPath: testKubeconfig() });
}
