import { isIP } from 'node:net';
import { isAllowedAddress } from '../../../core/outbound/addresses.ts';
import type { DeliverySettings } from '../api/settings.ts';

export type TargetSettings = Pick<DeliverySettings, 'allowHttp' | 'allowPrivateAddresses'>;

/** Ports where a POST could be taken for something else: mail, name servers, shells, databases. Browsers refuse most. */
const refusedPorts = new Set([
  '22',
  '23',
  '25',
  '53',
  '110',
  '143',
  '465',
  '587',
  '993',
  '995',
  '6379',
  '11211',
]);
/** Names that only resolve inside of a cluster or on one machine. */
const localName = /(^|\.)(localhost|local|internal|svc|cluster\.local)\.?$/;

/**
 * Why nothing is sent to this URL; undefined if it may be. Names are resolved, and their addresses checked, when a
 * connection is made.
 */
export function refuseTarget(
  text: string,
  { allowHttp, allowPrivateAddresses }: TargetSettings,
): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return 'is not a URL that begins with https://';
  if (url.protocol === 'http:' && !allowHttp) {
    return 'begins with http://, which this installation does not allow (chart value deliveries.allowHttp): use https://';
  }
  if (url.username !== '' || url.password !== '') {
    return 'contains a user or password: check the signature of deliveries instead';
  }
  if (refusedPorts.has(url.port))
    return `has the port ${url.port}, which belongs to another protocol: use another port`;
  return allowPrivateAddresses && !isAddress(url) ? undefined : refuseHost(url, allowPrivateAddresses);
}

const addressOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');
const isAddress = (url: URL): boolean => isIP(addressOf(url)) !== 0;

function refuseHost(url: URL, allowPrivateAddresses: boolean): string | undefined {
  const isRefused = isAddress(url)
    ? !isAllowedAddress(addressOf(url), { allowPrivateAddresses })
    : localName.test(url.hostname) || !url.hostname.includes('.');
  return isRefused ? privateTarget : undefined;
}

const setting =
  'which this installation does not allow (chart value deliveries.allowPrivateAddresses): use a public one';
const privateTarget = `has a private or reserved address, ${setting}`;

/** What a connection is refused with: the same for each name inside of the cluster, whether something has it or not. */
export const noPublicAddress = `does not resolve to a public address: it is unknown, or its address is private or reserved, ${setting}`;
