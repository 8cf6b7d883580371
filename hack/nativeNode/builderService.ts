import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { builderMark } from './inventory.ts';
import { removeService, writeService } from './runit.ts';
import { builderService } from './services.ts';
import { layout } from './setup/layout.ts';

const folder = join(layout.services, builderService);

/** What builds depend on of the environment of `make up`: the node's supervisor may have that of another one. */
const passed = [
  ...['HOME', 'PATH', 'XDG_CACHE_HOME', 'LANG', 'TMPDIR', 'DOWNLOAD_MIRROR', 'DOCKER_HOST'],
  ...['GOPROXY', 'GONOSUMDB', 'GOSUMDB', 'GOPRIVATE', 'GOTOOLCHAIN', 'GOCACHE', 'GOMODCACHE', 'GOPATH'],
  ...['CARGO_HOME', 'RUSTUP_HOME', 'npm_config_registry', 'NPM_CONFIG_REGISTRY', 'NPM_CONFIG_USERCONFIG'],
  ...['http_proxy', 'https_proxy', 'no_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'],
];

/**
 * Runs the builder of engines as a service of the node, in the place of an earlier one. The node itself does not change: its
 * supervisor finds the folder within five seconds.
 */
export async function startBuilderService(command: string[]): Promise<void> {
  await removeService(builderService);
  const environment = passed.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [`${name}=${value}`];
  });
  // Written under a name that the supervisor does not see: it must find the service whole.
  const draft = join(layout.services, `.${builderService}.new`);
  rmSync(draft, { recursive: true, force: true });
  // A proxy's address may contain a password.
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  const service = { name: builderService, command: ['env', builderMark, ...environment, ...command] };
  writeService(service, (path) => path.replace(folder, draft));
  renameSync(draft, folder);
}

/** Returns false when there was none. */
export async function stopBuilderService(): Promise<boolean> {
  // The service belongs to root, as the node does.
  if (!hasBuilderService() || process.getuid?.() !== 0) return false;
  await removeService(builderService);
  return true;
}

export function hasBuilderService(): boolean {
  return existsSync(folder);
}

/** Where its supervisor keeps what it prints. */
export const builderServiceLog = join(layout.logs, builderService, 'current');
