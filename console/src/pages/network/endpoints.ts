import type { Network } from '../../../../sdk/src/generated/types.ts';
import { maskedUrl } from '../../../../sdk/src/maskedUrl.ts';

/** URLs that most tools need first. */
const order = ['rpc', 'ws', 'admin', 'admin-ws'];

/** Service names and URLs, in the order of use. */
export function endpointsOf({ status }: Network): [string, string][] {
  const rank = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  return Object.entries(status?.endpoints ?? {}).sort(([a], [b]) => rank(a) - rank(b) || a.localeCompare(b));
}

/** A URL without its access key. */
export const masked = (url: string): string => maskedUrl(url, '••••••••');

/** The parts whose logs can be read, as far as the URLs tell; empty when there is only one. */
export function logServices({ status }: Network): string[] {
  return Object.keys(status?.endpoints ?? {})
    .filter((name) => /^(el|cl)-\d+$/.test(name))
    .sort();
}
