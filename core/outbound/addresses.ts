import { BlockList, isIPv6 } from 'node:net';

type Range = [network: string, prefix: number];

/** IANA special-purpose addresses (RFC 6890) that are in use inside of organizations. */
const privateRanges: readonly Range[] = [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['::1', 128],
  ['fc00::', 7],
];

/** Those that no node of a chain has: this host, link-local with metadata services, tests, multicast, translations. */
const reservedRanges: readonly Range[] = [
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  // The platform services of Azure.
  ['168.63.129.16', 32],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
  // The metadata service of AWS.
  ['fd00:ec2::', 32],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const privates = listOf(privateRanges);
const reserved = listOf(reservedRanges);
/** Other IPv6 addresses are not assigned, or contain an IPv4 address. */
const assigned = listOf([
  ['2000::', 3],
  ['fc00::', 7],
  ['::1', 128],
]);

/** Whether a fork source of a workspace may have this address. Link-local and reserved addresses never pass. */
export function isAllowedAddress(address: string, { allowPrivateAddresses = false } = {}): boolean {
  const family = isIPv6(address) ? 'ipv6' : 'ipv4';
  // The zone of a link-local address, such as %eth0.
  if (address.includes('%') || reserved.check(address, family)) return false;
  if (family === 'ipv6' && !assigned.check(address, family)) return false;
  return allowPrivateAddresses || !privates.check(address, family);
}

function listOf(ranges: readonly Range[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of ranges) {
    list.addSubnet(network, prefix, isIPv6(network) ? 'ipv6' : 'ipv4');
  }
  return list;
}
