import { run } from '../lib/run.ts';
import { releaseName, releaseNamespace } from '../up/names.ts';
import { linkTools } from '../up/tools.ts';

interface Ended {
  exitCode: number;
  reason?: string;
  finishedAt: string;
}

/** What is read of a pod of the release. */
export interface ServicePod {
  metadata: { name: string };
  status?: { containerStatuses?: { name: string; lastState?: { terminated?: Ended } }[] };
}

/** Ended as it was told to, or by a signal from outside. */
const orderlyCodes = [0, 128 + 9, 128 + 15];

/**
 * A line for each process of the release that ended by itself since `sinceMs`: tests that only look at answers do not see
 * that a leader dies and the next one goes on.
 */
export async function findCrashes(kubeconfig: string, sinceMs: number): Promise<string[]> {
  const { kubectl } = await linkTools();
  const selection = ['-n', releaseNamespace, '-l', `app.kubernetes.io/instance=${releaseName}`];
  const pods = await run(kubectl, ['get', 'pods', ...selection, '-o', 'json'], {
    env: { KUBECONFIG: kubeconfig },
  });
  return crashesOf((JSON.parse(pods) as { items: ServicePod[] }).items, sinceMs);
}

/** A line for each process of the release that ended by itself since `sinceMs`. */
export function crashesOf(pods: readonly ServicePod[], sinceMs: number): string[] {
  return pods.flatMap(({ metadata, status }) =>
    (status?.containerStatuses ?? []).flatMap(({ name, lastState }) => {
      const ended = lastState?.terminated;
      if (!ended || Date.parse(ended.finishedAt) < sinceMs || isOrderly(ended)) return [];
      const cause = [ended.reason, `exit code ${ended.exitCode}`].filter(Boolean).join(', ');
      return [`${metadata.name} ended at ${ended.finishedAt} (${name}: ${cause})`];
    }),
  );
}

const isOrderly = ({ exitCode, reason }: Ended): boolean =>
  orderlyCodes.includes(exitCode) && reason !== 'OOMKilled';
