import { createKube, type KubeClient, type KubeOptions } from '../../core/kube/client/client.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { silentLog } from '../../core/lib/log.ts';

/** The environment variable that holds the path of the test environment's kubeconfig. */
export const KUBECONFIG_VARIABLE = 'SLIPWAY_TEST_KUBECONFIG';

/** Path of the administrator's kubeconfig of the test environment; throws when none is running. */
export function testKubeconfig(): string {
  const path = process.env[KUBECONFIG_VARIABLE];
  if (!path) throw new Error(`${KUBECONFIG_VARIABLE} is not set: no test environment is running`);
  return path;
}

/** A client of the test environment. It logs nothing and uses the system clock by default. The caller closes it. */
export function createTestKube(options: Partial<Omit<KubeOptions, 'kubeconfigPath'>> = {}): KubeClient {
  return createKube({ log: silentLog, clock: systemClock, ...options, kubeconfigPath: testKubeconfig() });
}
