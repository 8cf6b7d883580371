import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keyringFiles } from '../../core/accounts/keyring.ts';
import { createSealer, parseMasterKeys, type Sealer } from '../../core/accounts/seal.ts';
import { chartObject } from '../../core/engines/testing/engineSets.ts';
import { createKube, type KubeClient } from '../../core/kube/client/client.ts';
import { configMapType, namespaceType } from '../../core/kube/types.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { silentLog } from '../../core/lib/log.ts';
import { startTestEnvironment } from '../../hack/testenv/environment.ts';
import { readState } from '../../hack/testenv/state.ts';
import { round } from './report.ts';
import { type ServiceOptions, type ServiceProcess, startService } from './service.ts';
import { type Usage, usageOf } from './usage.ts';

const root = join(import.meta.dirname, '..', '..');
const crds = join(root, 'crds');
const crdFiles = readdirSync(crds).filter((name) => name.endsWith('.yaml'));

/** A private kube-apiserver with the project's CRDs. Starts the built processes on demand, as the chart does. */
export interface Bed {
  kubeconfig: string;
  kube: KubeClient;
  /** The namespace of the default workspace. */
  namespace: string;
  /** The token of the bootstrap key, which has no rate limit. */
  token: string;
  /** Seals with the master key of both processes. */
  sealer: Sealer;
  /** The client URL of its etcd. */
  etcdUrl: string;
  /** The CPU time and memory that kube-apiserver has used so far. */
  kubeUsage(): Usage;
  /** What etcd's database holds. */
  etcdMiB(): Promise<number>;
  start(
    name: ServiceOptions['name'],
    extra?: Pick<ServiceOptions, 'nodeArgs' | 'env'>,
  ): Promise<ServiceProcess>;
  stop(): Promise<void>;
}

/** Rebuilds both processes in dist/service, so that the current sources are measured. */
export function buildService(): void {
  execFileSync(process.execPath, [join(root, 'hack', 'build.ts')], { stdio: 'inherit' });
}

export async function startBed(): Promise<Bed> {
  const environment = await startTestEnvironment({ crdFiles: crdFiles.map((name) => join(crds, name)) });
  const { kubeconfig } = environment;
  const kube = createKube({ kubeconfigPath: kubeconfig, log: silentLog, clock: systemClock });
  const folder = mkdtempSync(join(tmpdir(), 'slipway-bench-'));
  const namespace = 'bench';
  const masterKeys = `k1:${randomBytes(32).toString('base64')}\n`;
  const processes: ServiceProcess[] = [];
  await kube.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await kube.create(configMapType, chartObject(namespace));
  writeSettings(folder, { namespace, masterKeys });
  return {
    kubeconfig,
    kube,
    namespace,
    token: 'first.secret',
    sealer: createSealer(parseMasterKeys(masterKeys)),
    etcdUrl: readState(environment.stateFile).etcdUrl,
    kubeUsage: () => usageOf(readState(environment.stateFile).apiserver.process?.pid ?? 0),
    async etcdMiB() {
      const text = await (await fetch(`${readState(environment.stateFile).etcdUrl}/metrics`)).text();
      return round(Number(/^etcd_mvcc_db_total_size_in_use_in_bytes (\S+)/m.exec(text)?.[1]) / 2 ** 20, 1);
    },
    async start(name, extra = {}) {
      const started = await startService({ ...extra, name, folder, kubeconfig, namespace, root });
      processes.push(started);
      return started;
    },
    async stop() {
      await Promise.all(processes.map((process) => process.stop()));
      await kube.close();
      await environment.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Writes the files that the chart mounts into both processes. */
function writeSettings(folder: string, settings: { namespace: string; masterKeys: string }): void {
  const write = (name: string, content: string | Buffer) => {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), content, { mode: 0o600 });
  };
  write('keys/master-keys', settings.masterKeys);
  for (const file of Object.values(keyringFiles)) {
    write(`keys/${file}`, `k1:${randomBytes(32).toString('base64')}\n`);
  }
  write('keys/api-key-pepper', randomBytes(32));
  write('bootstrap/keyId', 'first\n');
  write('bootstrap/keySecret', 'secret\n');
  const installation = {
    publicUrl: 'http://127.0.0.1',
    defaultWorkspace: { id: 'default', namespace: settings.namespace },
    // Its nodes run nothing, so pods that wait would never become engines.
    warmEngines: { enabled: false },
    limits: { requestsPerSecond: 0, eventStreams: { account: 5000, workspace: 5000, all: 5000 } },
  };
  write('config/config.json', JSON.stringify(installation));
  mkdirSync(join(folder, 'tls'));
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const files = ['-keyout', join(folder, 'tls/tls.key'), '-out', join(folder, 'tls/tls.crt')];
  execFileSync('openssl', ['req', '-x509', ...key, ...files, '-subj', '/CN=127.0.0.1'], { stdio: 'ignore' });
}
