import { UserError } from '../../lib/run.ts';

/** A registry, and the path in it below which images are pushed. */
export interface RegistryPath {
  /** Host and port, as in the names of images. */
  host: string;
  /** Without slashes at its ends; may be empty. */
  path: string;
  /** Where its API is. */
  url: string;
}

/** The name of an image in its registry, without the host and the tag. */
export function repositoryIn({ path }: RegistryPath, name: string): string {
  return [path, name].filter(Boolean).join('/');
}

/** Reads `host[:port][/path]`. Registries on this machine speak plain HTTP, as for Docker; all others TLS. */
export function parseRegistry(text: string): RegistryPath {
  const [host = '', ...parts] = text
    .replace(/^https?:\/\//, '')
    .replace(/\/+$/, '')
    .split('/');
  const isValid = /^[A-Za-z0-9.-]+(:\d+)?$|^\[[0-9a-f:]+\](:\d+)?$/.test(host);
  const path = parts.join('/');
  if (!isValid || !/^([a-z0-9]+((\/|\.|_{1,2}|-+)[a-z0-9]+)*)?$/.test(path)) {
    throw new UserError(
      `REGISTRY=${text} is not a registry: use host/path, such as registry.example.com/slipway`,
    );
  }
  const isLocal = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/.test(host);
  const api = host === 'docker.io' ? 'registry-1.docker.io' : host;
  return { host, path, url: `${isLocal ? 'http' : 'https'}://${api}` };
}
