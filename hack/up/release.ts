import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashContext } from '../images/context.ts';
import { projectRoot } from '../lib/paths.ts';
import { run, tryRun } from '../lib/run.ts';
import { parseHistory, pendingRevisions, type Revision } from './history.ts';
import { namespaceManifest, releaseName, releaseNamespace } from './names.ts';

export interface HelmTools {
  helm: string;
  kubectl: string;
  kubeconfig: string;
}

/** The outcome of an installation: `unchanged` when the release was already up to date. */
export type InstallOutcome = 'installed' | 'unchanged';

export const chart = join(projectRoot, 'charts', 'slipway');
const timeout = '5m';

/**
 * Installs or upgrades the release with `values` and waits until its pods are ready.
 * Does nothing when the last revision has the same chart and values and all pods are ready.
 * First deletes revisions that an interrupted run left pending, because helm refuses to upgrade while they exist.
 */
export async function installRelease(tools: HelmTools, values: object): Promise<InstallOutcome> {
  const extraFile = process.env.VALUES;
  const description = `chart and values ${hashOf(values, extraFile)}`;
  const history = await readHistory(tools);
  const last = history.at(-1);
  if (last?.status === 'deployed' && last.description === description && (await isReady(tools)))
    return 'unchanged';
  await deletePending(tools, history);
  const valuesFile = writeValues(values);
  const files = ['--values', valuesFile, ...(extraFile ? ['--values', extraFile] : [])];
  const waiting = ['--wait', '--timeout', timeout, '--history-max', '5', '--description', description];
  await helm(tools, ['upgrade', '--install', '--force-conflicts', releaseName, chart, ...files, ...waiting]);
  return 'installed';
}

/** The namespace of the service, which also enforces the restricted Pod Security Standard. */
export async function ensureNamespace({ kubectl, kubeconfig }: HelmTools): Promise<void> {
  await run(kubectl, ['apply', '--server-side', '--force-conflicts', '-f', '-'], {
    env: { KUBECONFIG: kubeconfig },
    input: JSON.stringify(namespaceManifest),
  });
}

function helm(tools: HelmTools, args: string[]): Promise<string> {
  return run(tools.helm, [...args, '--namespace', releaseNamespace], {
    env: { KUBECONFIG: tools.kubeconfig },
    remedy: 'check the pods with `make status` and their logs with `make logs`',
  });
}

async function readHistory(tools: HelmTools): Promise<Revision[]> {
  const args = ['history', releaseName, '--namespace', releaseNamespace, '--max', '20', '--output', 'json'];
  const answer = await tryRun(tools.helm, args, { env: { KUBECONFIG: tools.kubeconfig } });
  return answer.code === 0 ? parseHistory(answer.stdout) : [];
}

async function deletePending(tools: HelmTools, history: Revision[]): Promise<void> {
  for (const { revision } of pendingRevisions(history)) {
    const name = `sh.helm.release.v1.${releaseName}.v${revision}`;
    await run(tools.kubectl, ['-n', releaseNamespace, 'delete', 'secret', name, '--ignore-not-found'], {
      env: { KUBECONFIG: tools.kubeconfig },
    });
  }
}

async function isReady(tools: HelmTools): Promise<boolean> {
  for (const component of ['apiserver', 'webhook', 'operator']) {
    const target = `deployment/${releaseName}-${component}`;
    const args = ['-n', releaseNamespace, 'rollout', 'status', target, '--timeout=20s'];
    const { code } = await tryRun(tools.kubectl, args, { env: { KUBECONFIG: tools.kubeconfig } });
    if (code !== 0) return false;
  }
  return true;
}

function writeValues(values: object): string {
  const folder = join(projectRoot, '.slipway');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'values.json');
  writeFileSync(file, `${JSON.stringify(values, undefined, 2)}\n`);
  return file;
}

function hashOf(values: object, extraFile: string | undefined): string {
  const extra = extraFile && existsSync(extraFile) ? readFileSync(extraFile, 'utf8') : '';
  const facts = JSON.stringify([hashContext(chart), values, extra]);
  return createHash('sha256').update(facts).digest('hex').slice(0, 16);
}
