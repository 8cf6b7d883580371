import { isAllowedAddress } from './addresses.ts';

it.each([['1.1.1.1'], ['2606:4700:4700::1111']])('%s is public', (address) => {
  expect(isAllowedAddress(address)).toBe(true);
});

it.each([
  ['10.1.2.3'],
  ['100.64.0.1'],
  ['127.0.0.1'],
  ['172.31.255.255'],
  ['192.168.1.1'],
  ['::1'],
  ['fd12:3456::1'],
])('%s is private: allowed only where private addresses are', (address) => {
  expect(isAllowedAddress(address)).toBe(false);
  expect(isAllowedAddress(address, { allowPrivateAddresses: true })).toBe(true);
});

it.each([
  ['the metadata services', '169.254.169.254'],
  ['the platform services of Azure', '168.63.129.16'],
  ['the metadata service of AWS over IPv6', 'fd00:ec2::254'],
  ['this host', '0.0.0.0'],
  ['this host over IPv6', '::'],
  ['a link-local address', 'fe80::1'],
  ['a link-local address with its zone', 'fe80::1%eth0'],
  ['multicast', '224.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['multicast over IPv6', 'ff02::1'],
  ['IPv4 in IPv6', '::ffff:127.0.0.1'],
  ['IPv4 in IPv6, in hexadecimal', '::ffff:7f00:1'],
  ['IPv4 behind NAT64', '64:ff9b::a00:1'],
  ['IPv4 behind 6to4', '2002:a00:1::1'],
  ['Teredo', '2001:0:1::1'],
])('%s (%s) is never allowed', (_case, address) => {
  expect(isAllowedAddress(address)).toBe(false);
  expect(isAllowedAddress(address, { allowPrivateAddresses: true })).toBe(false);
});
