import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { stringify } from 'yaml';
import { kubeconfigYaml } from '../../lib/kubeconfig.ts';
import { projectRoot } from '../../lib/paths.ts';
import { type RunResult, run, tryRun } from '../../lib/run.ts';
import { runbookCommands } from '../../lib/runbook.ts';
import { startTestEnvironment, type TestEnvironment } from '../../testenv/environment.ts';
import { toolPath } from '../../tools/build.ts';
import { ensureTools } from '../../tools/ensure.ts';
import { chart, find, type Manifest, renderChart } from '../render.ts';

const namespace = 'slipway-system';
/** One that seals and one that is in URLs. */
const runbookFiles = 'master-keys access-keys';

/** No definitions, which nothing here needs, and no namespace that would take its time to end. */
const light = { crds: { install: false }, workspace: { create: false } };

/** A chart as it was when the keys were part of its manifest, in a folder of its own. */
export function formerChart(folder: string): string {
  const copy = join(folder, 'former');
  cpSync(chart, copy, { recursive: true });
  cpSync(join(import.meta.dirname, 'formerKeys.tpl'), join(copy, 'templates', 'keys.yaml'));
  rmSync(join(copy, 'templates', 'admissionpolicies.yaml'));
  return copy;
}

/** Whether git has the tag here; a shallow clone does not. */
export function hasTag(tag: string): boolean {
  return spawnSync('git', ['rev-parse', '--verify', '--quiet', tag], { cwd: projectRoot }).status === 0;
}

/** The chart of a tag in a folder of its own. */
export async function chartOfTag(folder: string, tag: string): Promise<string> {
  const archive = join(folder, `${tag}.tar`);
  const args = ['archive', `--output=${archive}`, tag, 'charts/slipway'];
  await run('git', args, { cwd: projectRoot });
  await run('tar', ['-xf', archive, '-C', folder]);
  return join(folder, 'charts', 'slipway');
}

/**
 * A release of the chart on a kube-apiserver without nodes. A Job cannot run there, so helm leaves the hooks out, and what
 * they are runs here: the objects of the hook, then its program with the token of its account and the Job's variables.
 * Its files are in `folder`.
 */
function createKeyedRelease(folder: string, kubeconfig: string, kubectlPath: string) {
  const env = { KUBECONFIG: kubeconfig };
  const helm = (...args: string[]): Promise<RunResult> =>
    tryRun(toolPath('helm'), [...args, '--namespace', namespace], { env });
  const kubectl = (...args: string[]) => run(kubectlPath, ['--namespace', namespace, ...args], { env });

  async function runHook(values: object = {}): Promise<void> {
    const hooks = (await renderChart(values)).filter(isKeysHook);
    const rights = hooks.filter(({ kind }) => kind !== 'Job');
    const input = rights.map((manifest) => stringify(manifest)).join('---\n');
    await run(kubectlPath, ['apply', '-f', '-'], { env, input });
    const file = join(mkdtempSync(join(folder, 'hook-')), 'kubeconfig');
    writeFileSync(file, await kubeconfigOf('slipway-keys'));
    const [container] = find(hooks, 'Job', '-keys').spec.template.spec.containers;
    const variables = Object.fromEntries(
      container.env.map(({ name, value }: { name: string; value: string }) => [name, value]),
    );
    const program = join(projectRoot, 'operator', 'keys', 'main.ts');
    await run(process.execPath, [program], { env: { ...variables, KUBECONFIG: file, NODE_OPTIONS: '' } });
  }

  async function kubeconfigOf(account: string): Promise<string> {
    const { clusters } = JSON.parse(readFileSync(kubeconfig, 'utf8'));
    const [{ cluster }] = clusters;
    const authority = Buffer.from(cluster['certificate-authority-data'], 'base64');
    const token = (await kubectl('create', 'token', account)).trim();
    return kubeconfigYaml({ server: cluster.server, authority, token });
  }

  /** The data of a Secret; undefined when there is none. */
  async function read(name: string): Promise<Record<string, string> | undefined> {
    const args = ['get', 'secret', name, '--ignore-not-found', '-o', 'json'];
    const text = await kubectl(...args);
    return text === '' ? undefined : JSON.parse(text).data;
  }

  return {
    folder,
    kubectl,
    helm,
    runHook,
    /** `helm upgrade --install`, of a chart with the hook unless it is a former one. */
    async upgrade(values: object = {}, from = chart): Promise<void> {
      if (from === chart) await runHook(values);
      const file = join(mkdtempSync(join(folder, 'values-')), 'values.json');
      writeFileSync(
        file,
        JSON.stringify({ ...light, ...values, crds: { ...light.crds, ...crdsOf(values) } }),
      );
      const args = ['upgrade', '--install', 'slipway', from, '--no-hooks', '--values', file];
      const { code, output } = await helm(...args);
      if (code !== 0) throw new Error(output);
    },
    rollBack: (revision: string) => helm('rollback', 'slipway', revision, '--no-hooks'),
    read,
    /** The Secrets with the keys and with the first API key. */
    keys: () => Promise.all(['slipway-keys', 'slipway-bootstrap'].map(read)),
    /** Replaces keys with the commands of docs/keys.md. */
    async rotate(): Promise<void> {
      const bin = mkdtempSync(join(folder, 'runbook-'));
      // No pods run here that could roll.
      const wrapper = `#!/bin/sh\ncase "$*" in *" rollout "*) exit 0 ;; esac\nexec ${kubectlPath} "$@"\n`;
      writeFileSync(join(bin, 'kubectl'), wrapper, { mode: 0o755 });
      const path = [bin, process.env.PATH].join(delimiter);
      for (const heading of ['Add a new key', 'Remove the old keys']) {
        const commands = ['-euo', 'pipefail', '-c', runbookCommands(heading)];
        await run('bash', commands, { env: { ...env, PATH: path, FILES: runbookFiles } });
      }
    },
    /** All that the revisions of the release hold, as text. */
    async revisions(): Promise<string> {
      const text = await kubectl('get', 'secrets', '-l', 'owner=helm', '-o', 'json');
      const items: { data: { release: string } }[] = JSON.parse(text).items;
      const releases = items.map(({ data }) => {
        const encoded = Buffer.from(data.release, 'base64').toString();
        return gunzipSync(Buffer.from(encoded, 'base64')).toString();
      });
      return releases.join('\n');
    },
  };
}

export type KeyedRelease = ReturnType<typeof createKeyedRelease>;

/** Passes a release on a kube-apiserver of the suite's own to `take`. Each test finds it uninstalled and without keys. */
export function useKeyedReleases(take: (release: KeyedRelease) => void): void {
  let folder: string;
  let environment: TestEnvironment | undefined;
  let release: KeyedRelease;
  beforeAll(async () => {
    const { kubectl } = await ensureTools(['kubectl']);
    folder = mkdtempSync(join(tmpdir(), 'slipway-keys-'));
    environment = await startTestEnvironment();
    release = createKeyedRelease(folder, environment.kubeconfig, kubectl);
    take(release);
    for (const name of [namespace, 'slipway-default']) await release.kubectl('create', 'namespace', name);
  });
  afterEach(async () => {
    await release.helm('uninstall', 'slipway', '--no-hooks');
    await release.kubectl('delete', 'secrets', '--all');
  });
  afterAll(async () => {
    await environment?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
}

function isKeysHook({ metadata }: Manifest): boolean {
  const isHook = metadata.annotations?.['helm.sh/hook'] === 'pre-install,pre-upgrade';
  return isHook && metadata.name === 'slipway-keys';
}

const crdsOf = (values: { crds?: object }) => values.crds ?? {};
