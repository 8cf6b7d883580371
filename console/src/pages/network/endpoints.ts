import type { Network } from '../../../../sdk/src/generated/types.ts';

/** URLs that most tools need first. */
const order = ['rpc', 'ws', 'admin', 'admin-ws'];

/** Service names and URLs, in the order of use. */
export function endpointsOf({ status }: Network): [string, string][] {
  const rank = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  return Object.entries(status?.endpoints ?? {}).sort(([a], [b]) => rank(a) - rank(b) || a.localeCompare(b));
}

/** A URL without its access key: `/rpc/{network}/{key}/{service}`, or `{service}-{network}-{key}.{domain}`. */
export function masked(url: string): string {
  return url
    .replace(/(\/rpc\/[^/]+\/)([^/]+)/, '$1••••••••')
    .replace(/^(https?:\/\/[a-z0-9-]{1,10}-[0-9a-f]{32}-)[a-z2-7]{20}(?=\.)/, '$1••••••••');
}

/** The parts whose logs can be read, as far as the URLs tell; empty when there is only one. */
export function logServices({ status }: Network): string[] {
  return Object.keys(status?.endpoints ?? {})
    .filter((name) => /^(el|cl)-\d+$/.test(name))
    .sort();
}
