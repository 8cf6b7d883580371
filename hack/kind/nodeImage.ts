import { createHash } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { BuiltImage } from '../images/store.ts';
import { cachePath } from '../lib/paths.ts';
import { type Note, step } from '../lib/progress.ts';
import { run, tryRun } from '../lib/run.ts';
import { bridgeNetwork } from '../nativeNode/setup/runtimeConfigs.ts';
import { catalogue } from '../tools/catalogue.ts';
import { ensureTools } from '../tools/ensure.ts';
import { replaceInFile, storageManifest } from './nodeFiles.ts';
import { nodeImages, pauseImage } from './systemImages.ts';

const { version } = catalogue.kubeadm;
/** What kind's own node image has of Debian's packages, and its container runtime, which kind builds from sources. */
const packages = [
  ...['systemd', 'systemd-sysv', 'dbus', 'containerd', 'runc', 'containernetworking-plugins', 'conntrack'],
  ...['iptables', 'nftables', 'iproute2', 'ethtool', 'util-linux', 'mount', 'kmod', 'libseccomp2', 'bash'],
  ...['ca-certificates', 'curl', 'jq', 'procps', 'ipset', 'socat'],
];

/**
 * A node image for kind, in the Docker engine of `env`: Debian's packages, kind's files from its Go module, and Kubernetes
 * from the cache. For machines that cannot pull kindest/node.
 */
export async function ensureNodeImage(env: Record<string, string>): Promise<string> {
  const tools = await ensureTools(['kubeadm', 'kubelet', 'kubectl', 'confined-runc', 'kind']);
  const images = await nodeImages();
  const facts = [...Object.values(tools), ...images.map(({ tar }) => tar), ...packages, ownSources()];
  const tag = createHash('sha256').update(facts.join('\n')).digest('hex').slice(0, 12);
  const image = `slipway/node:${version}-${tag}`;
  if ((await tryRun('docker', ['image', 'inspect', image], { env })).code === 0) return image;
  await makeImage(image, { env, tools, images });
  await dropOthers(image, env);
  return image;
}

interface Parts {
  env: Record<string, string>;
  tools: Record<'kubeadm' | 'kubelet' | 'kubectl' | 'confined-runc', string>;
  images: BuiltImage[];
}

async function makeImage(image: string, { env, tools, images }: Parts): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-node-'));
  const root = join(folder, 'root');
  try {
    await step('unpacking Debian for the node image', (note) => debianInto(root, note));
    await addKindFiles(root);
    for (const name of ['kubeadm', 'kubelet', 'kubectl'] as const) {
      cpSync(tools[name], join(root, 'usr/bin', name));
    }
    cpSync(tools['confined-runc'], join(root, 'usr/local/sbin/runc'));
    await adapt(root);
    for (const [index, { tar }] of images.entries()) cpSync(tar, join(root, 'kind/images', `${index}.tar`));
    await step('loading the node image into Docker', () => importRoot(root, image, env));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** An older node image takes a gigabyte. */
async function dropOthers(image: string, env: Record<string, string>): Promise<void> {
  const format = ['--format', '{{.Repository}}:{{.Tag}}'];
  const all = await run('docker', ['image', 'ls', 'slipway/node', ...format], { env });
  const others = all.split('\n').filter((name) => name !== '' && name !== image);
  if (others.length > 0) await tryRun('docker', ['image', 'rm', ...others], { env });
}

/** What is written here decides what is in the image. */
const ownSources = () =>
  ['nodeImage.ts', 'nodeFiles.ts']
    .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'))
    .join();

async function debianInto(root: string, note: Note): Promise<void> {
  const tar = cachePath('images', 'debian-node.tar');
  const list = packages.join(',');
  if ((await tryRun('grep', ['-qxF', list, `${tar}.packages`])).code !== 0) {
    // The format would follow from the suffix.
    const args = ['--format=tar', '--variant=minbase', `--include=${list}`, 'bookworm', `${tar}.new`];
    await run('mmdebstrap', args, { logFile: cachePath('logs', 'mmdebstrap.log'), onLine: note });
    await run('mv', [`${tar}.new`, tar]);
    writeFileSync(`${tar}.packages`, `${list}\n`);
  }
  mkdirSync(root);
  await run('tar', ['-xpf', tar, '--numeric-owner', '-C', root]);
}

/** As the Dockerfile of kind's base image copies them. */
async function addKindFiles(root: string): Promise<void> {
  const cwd = join(import.meta.dirname, '..', 'tools', 'kind');
  const format = ['list', '-mod=readonly', '-m', '-f', '{{.Dir}}', 'sigs.k8s.io/kind'];
  const module = (await run('go', format, { cwd })).trim();
  await run('cp', ['-r', '--no-preserve=mode', `${module}/images/base/files/.`, root]);
  for (const file of ['usr/local/bin/entrypoint', 'kind/bin/mount-product-files.sh', 'kind/bin']) {
    await run('chmod', ['0755', join(root, file)]);
  }
  await run('sh', ['-c', `chmod 0755 ${join(root, 'kind/bin')}/*.sh`]);
}

/** What kind's Dockerfile runs. */
async function adapt(root: string): Promise<void> {
  await adaptUnits(root);
  await adaptContainerd(root);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  mkdirSync(join(root, 'opt/cni'), { recursive: true });
  symlinkSync('/usr/lib/cni', join(root, 'opt/cni/bin'));
  write('etc/cni/net.d/10-bridge.conflist', JSON.stringify(network));
  mkdirSync(join(root, 'etc/kubernetes/manifests'), { recursive: true });
  write('kind/version', version);
  write('kind/manifests/default-cni.yaml', noManifest);
  write('kind/manifests/default-storage.yaml', await storageManifest());
}

/** Without CAP_SYS_RESOURCE, systemd can start no unit that asks for a lower OOM score or higher limits. */
async function adaptUnits(root: string): Promise<void> {
  const units = join(root, 'etc/systemd/system');
  const wants = 'lib/systemd/system/*.target.wants/* etc/systemd/system/*.wants/*';
  await run('sh', ['-c', `rm -f ${wants}`], { cwd: root });
  mkdirSync(join(units, 'multi-user.target.wants'), { recursive: true });
  for (const unit of ['kubelet.service', 'containerd.service', 'slipway-images.service']) {
    symlinkSync(`/etc/systemd/system/${unit}`, join(units, 'multi-user.target.wants', unit));
  }
  writeFileSync(join(units, 'slipway-images.service'), importUnit);
  symlinkSync('/dev/null', join(units, 'systemd-binfmt.service'));
  appendFileSync(join(root, 'etc/systemd/journald.conf'), 'ReadKMsg=no\n');
  replaceInFile(join(units, 'containerd.service'), [
    [/^(Limit\w+|OOMScoreAdjust)=.*\n/gm, ''],
    ['/usr/local/bin/containerd', '/usr/bin/containerd'],
  ]);
  for (const unit of ['systemd-journald', 'dbus']) {
    mkdirSync(join(units, `${unit}.service.d`), { recursive: true });
    writeFileSync(join(units, `${unit}.service.d/oom.conf`), '[Service]\nOOMScoreAdjust=0\n');
  }
}

async function adaptContainerd(root: string): Promise<void> {
  replaceInFile(join(root, 'etc/containerd/config.toml'), [
    ['restrict_oom_score_adj = false', 'restrict_oom_score_adj = true'],
    [/sandbox_image = ".*"/, `sandbox_image = "${pauseImage}"`],
  ]);
  const hook = '{"path": "/kind/bin/mount-product-files.sh"}';
  const filter = `.hooks.createContainer = [${hook}] | del(.process.rlimits)`;
  const spec = await run('jq', [filter], { input: await run('ctr', ['oci', 'spec']) });
  writeFileSync(join(root, 'etc/containerd/cri-base.json'), spec);
}

/** With kind's default range of pod addresses. */
const network = bridgeNetwork({ name: 'bridge', bridge: 'cni0', podRange: '10.244.0.0/16' });

/** kind applies a manifest with its network plugin; the node has its network plugin as a file. */
const noManifest = `apiVersion: v1
kind: ConfigMap
metadata: {name: network-is-a-file-of-the-node, namespace: kube-system}
`;

/** containerd can read archives only while it runs. */
const importUnit = `[Unit]
After=containerd.service
Requires=containerd.service
Before=kubelet.service
ConditionPathExists=!/kind/images/done
[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/sh -c 'for tar in /kind/images/*.tar; do ctr --namespace k8s.io images import "$tar" || exit 1; done; touch /kind/images/done'
`;

async function importRoot(root: string, image: string, env: Record<string, string>): Promise<void> {
  const entrypoint = 'ENTRYPOINT [ "/usr/local/bin/entrypoint", "/sbin/init" ]';
  const changes = [entrypoint, 'ENV container=docker'].flatMap((change) => ['--change', change]);
  const tar = `${root}.tar`;
  await run('tar', ['-cf', tar, '--numeric-owner', '-C', root, '.']);
  await run('docker', ['import', ...changes, tar, image], { env });
}
