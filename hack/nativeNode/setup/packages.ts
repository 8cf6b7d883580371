import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cachePath } from '../../lib/paths.ts';
import { step } from '../../lib/progress.ts';
import { run, tryRun, UserError } from '../../lib/run.ts';

/** The commands that the node needs and the Debian package of each. */
const packageOf: Record<string, string> = {
  containerd: 'containerd',
  ctr: 'containerd',
  runc: 'runc',
  iptables: 'iptables',
  ip: 'iproute2',
  conntrack: 'conntrack',
  socat: 'socat',
  ethtool: 'ethtool',
  ipset: 'ipset',
  catatonit: 'catatonit',
  buildah: 'buildah',
  runsvdir: 'runit',
};
const CNI_PACKAGE = 'containernetworking-plugins';
const CNI_FOLDERS = ['/usr/lib/cni', '/opt/cni/bin'];
const COMMAND_FOLDERS = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/sbin'];

/** Installs missing packages. Throws UserError unless this machine can run a native node: Linux, root and apt-get. */
export async function ensurePackages(): Promise<void> {
  if (process.platform !== 'linux') {
    throw new UserError(
      'The native node needs Linux: install Docker and kind, or set CLUSTER=current to use an existing cluster.',
    );
  }
  if (process.getuid?.() !== 0) {
    throw new UserError('The native node needs root: run the command with sudo, or install Docker and kind.');
  }
  const missing = missingPackages(findCommand, cniPluginFolder() !== undefined);
  if (missing.length === 0) return;
  if (!findCommand('apt-get')) {
    throw new UserError(
      `apt-get is not available: install the equivalents of these Debian packages: ${missing.join(', ')}`,
    );
  }
  await step(`installing ${missing.join(', ')}`, () => install(missing));
}

/** The packages of all commands for which `find` returns undefined. */
export function missingPackages(find: (command: string) => string | undefined, hasCni: boolean): string[] {
  const names = Object.entries(packageOf).flatMap(([command, name]) => (find(command) ? [] : [name]));
  return [...new Set(hasCni ? names : [...names, CNI_PACKAGE])];
}

/** The absolute path of a command; undefined when it is not installed. */
export function findCommand(command: string): string | undefined {
  return COMMAND_FOLDERS.map((folder) => join(folder, command)).find((path) => existsSync(path));
}

/** The absolute path of a command. Throws UserError when it is not installed. */
export function requireCommand(command: string): string {
  const path = findCommand(command);
  if (!path)
    throw new UserError(`${command} is not installed on this machine: install it and run the command again`);
  return path;
}

/** The folder with the CNI plugins; undefined when there is none. */
export function cniPluginFolder(): string | undefined {
  return CNI_FOLDERS.find((folder) => existsSync(join(folder, 'bridge')));
}

async function install(packages: string[]): Promise<void> {
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const options = {
    env,
    logFile: cachePath('logs', 'apt.log'),
    remedy: 'check that apt-get works on this machine',
  };
  const args = ['install', '-y', '--no-install-recommends', ...packages];
  const first = await tryRun('apt-get', args, options);
  if (first.code === 0) return;
  await run('apt-get', ['update'], options);
  await run('apt-get', args, options);
}
