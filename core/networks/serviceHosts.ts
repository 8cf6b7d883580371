import { hostnameOf } from '../lib/authority.ts';

/** The end of the name under which the EndpointSet has the URL with a service's own host name: `dfns-host`. */
export const hostSuffix = '-host';

/** A label of a host name has at most 63 characters (RFC 1035): this is what id, key and hyphens leave for the service. */
export const maxHostedName = 63 - 32 - 20 - 2;

export interface ServiceHost {
  service: string;
  /** Of the network. */
  id: string;
  /** See `hostKeyOf`. */
  key: string;
}

/** One label, as the certificate of a wildcard covers only one: `{service}-{id in 32 hexadecimal digits}-{key}.{domain}`. */
export function serviceHostOf({ service, id, key }: ServiceHost, domain: string): string {
  return `${service}-${id.replaceAll('-', '')}-${key}.${domain}`;
}

/** What a Host header in the domain names; undefined if it names no service. */
export function parseServiceHost(host: string, domain: string): ServiceHost | undefined {
  const label = hostnameOf(host).slice(0, -domain.length - 1);
  const [, service, digits, key] = /^([a-z][a-z0-9-]{0,8})-([0-9a-f]{32})-([a-z2-7]{20})$/.exec(label) ?? [];
  if (!service || !digits || !key) return undefined;
  return { service, id: digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'), key };
}
