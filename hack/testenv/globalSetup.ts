import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../lib/paths.ts';
import { STATE_VARIABLE } from './control.ts';
import { startTestEnvironment, type TestEnvironment } from './environment.ts';
import { KUBECONFIG_VARIABLE } from './testKube.ts';

declare global {
  var slipwayTestEnvironment: TestEnvironment | undefined;
}

/** jest's global setup for the integration tests: starts a kube-apiserver with the project's CRDs. */
export default async function globalSetup(): Promise<void> {
  const environment = await startTestEnvironment({ crdFiles: crdFiles() });
  globalThis.slipwayTestEnvironment = environment;
  process.env[KUBECONFIG_VARIABLE] = environment.kubeconfig;
  process.env[STATE_VARIABLE] = environment.stateFile;
}

/** The paths of the project's CRD files. */
export function crdFiles(): string[] {
  const folder = join(projectRoot, 'crds');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => join(folder, name));
}
