import { type Access, accessKeyOf } from '../accounts/accessKeys.ts';

export interface EndpointOptions {
  /** `installation.publicUrl`. */
  publicUrl: string;
  /** The installation's key for access keys. */
  key: Uint8Array;
  networkUid: string;
  access: Access;
  epoch: number;
}

/** Service names and their URLs at the gateway: `{publicUrl}/rpc/{network uid}/{access key}/{service}`. */
export function endpointUrls(services: readonly string[], options: EndpointOptions): Record<string, string> {
  const { publicUrl, key, ...scope } = options;
  const base = `${publicUrl}/rpc/${scope.networkUid}/${accessKeyOf(key, scope)}`;
  return Object.fromEntries(services.map((service) => [service, `${schemed(base, service)}/${service}`]));
}

function schemed(base: string, service: string): string {
  return service === 'ws' || service === 'admin-ws' ? base.replace(/^http/, 'ws') : base;
}
