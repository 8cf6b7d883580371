import { type Access, accessKeyOf, hostKeyOf, type KeyScope } from '../accounts/accessKeys.ts';
import { hostSuffix, serviceHostOf } from './serviceHosts.ts';

export interface EndpointOptions {
  /** `installation.publicUrl`. */
  publicUrl: string;
  /** `installation.serviceDomain`: without it, services have no host names. */
  serviceDomain: string;
  /** The installation's key for access keys. */
  key: Uint8Array;
  scope: KeyScope;
  access: Access;
  epoch: number;
}

/**
 * Service names and their URLs at the gateway: `{publicUrl}/rpc/{network id}/{access key}/{service}`. A name that ends in
 * `-host` is that of a service's own host name, which only an installation with a domain for them has.
 */
export function endpointUrls(services: readonly string[], options: EndpointOptions): Record<string, string> {
  const { publicUrl, serviceDomain, key, ...input } = options;
  const base = `${publicUrl}/rpc/${input.scope.id}/${accessKeyOf(key, input)}`;
  const named = services.filter((name) => serviceDomain !== '' || !name.endsWith(hostSuffix));
  return Object.fromEntries(
    named.map((name) => [
      name,
      name.endsWith(hostSuffix) ? hostUrl(name, options) : `${schemed(base, name)}/${name}`,
    ]),
  );
}

/** Service names and their URLs with a key that has a name. It opens no host name. */
export function namedUrls(
  services: readonly string[],
  { publicUrl, id, key }: { publicUrl: string; id: string; key: string },
): Record<string, string> {
  const base = `${publicUrl}/rpc/${id}/${key}`;
  const named = services.filter((name) => !name.endsWith(hostSuffix));
  return Object.fromEntries(named.map((name) => [name, `${schemed(base, name)}/${name}`]));
}

function hostUrl(name: string, options: EndpointOptions): string {
  const { publicUrl, serviceDomain, key, ...input } = options;
  const service = name.slice(0, -hostSuffix.length);
  const host = { service, id: input.scope.id, key: hostKeyOf(key, { ...input, service }) };
  const { protocol, port } = new URL(publicUrl);
  return `${protocol}//${serviceHostOf(host, serviceDomain)}${port === '' ? '' : `:${port}`}`;
}

function schemed(base: string, service: string): string {
  return service === 'ws' || service === 'admin-ws' ? base.replace(/^http/, 'ws') : base;
}
