import { run, tryRun } from '../lib/run.ts';
import { releaseName, releaseNamespace } from './names.ts';
import { chart, type HelmTools } from './release.ts';

/** Uninstalls the release with all its data and deletes its namespace. Does nothing when it is not installed. */
export async function removeRelease(tools: HelmTools): Promise<void> {
  const env = { KUBECONFIG: tools.kubeconfig };
  const inNamespace = ['--namespace', releaseNamespace];
  const status = await tryRun(tools.helm, ['status', releaseName, ...inNamespace], { env });
  if (status.code === 0) {
    // The image that is installed may be of a former checkout, which has no program for this chart's hook.
    const purging = [
      ...['--reuse-values', '--set', 'crds.keep=false', '--no-hooks', '--force-conflicts'],
      ...['--wait', '--timeout', '5m'],
    ];
    await run(tools.helm, ['upgrade', releaseName, chart, ...inNamespace, ...purging], { env });
    await run(tools.helm, ['uninstall', releaseName, ...inNamespace, '--wait', '--timeout', '6m'], { env });
  }
  await run(tools.kubectl, ['delete', 'namespace', releaseNamespace, '--ignore-not-found'], { env });
}
