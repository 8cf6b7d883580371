import { refuseTarget } from './target.ts';

const strict = { allowHttp: false, allowPrivateAddresses: false };
const lax = { allowHttp: true, allowPrivateAddresses: true };

it.each([
  'https://example.com/hook',
  'https://example.com:8443/',
  'https://1.1.1.1/',
  'https://[2606:4700::1111]/',
])('%s may be sent to', (url) => expect(refuseTarget(url, strict)).toBeUndefined());

it.each([
  ['plain HTTP', 'http://example.com/', 'deliveries.allowHttp'],
  ['another scheme', 'ftp://example.com/', 'https://'],
  ['a file', 'file:///etc/passwd', 'https://'],
  ['no URL', 'https://', 'https://'],
  ['a user', 'https://ann@example.com/', 'user or password'],
  ['a mail server', 'https://example.com:25/', 'belongs to another protocol'],
  ['the metadata service', 'https://169.254.169.254/latest/meta-data', 'private or reserved'],
  ['loopback', 'https://127.0.0.1/', 'private or reserved'],
  ['loopback as one number', 'https://2130706433/', 'private or reserved'],
  ['loopback in octal', 'https://0177.0.0.1/', 'private or reserved'],
  ['a short form of loopback', 'https://127.1/', 'private or reserved'],
  ['loopback over IPv6', 'https://[::1]/', 'private or reserved'],
  ['IPv4 in IPv6', 'https://[::ffff:10.0.0.1]/', 'private or reserved'],
  ['a private address', 'https://192.168.1.1/', 'private or reserved'],
  ['carrier-grade NAT', 'https://100.64.0.1/', 'private or reserved'],
  ['a unique local address', 'https://[fd00::1]/', 'private or reserved'],
  ['localhost', 'https://localhost/', 'private or reserved'],
  ['a name below localhost', 'https://a.localhost/', 'private or reserved'],
  ['a Service', 'https://operator.slipway-system.svc/', 'private or reserved'],
  ['a Service in full', 'https://a.b.svc.cluster.local./', 'private or reserved'],
  ['a name without a domain', 'https://kubernetes/', 'private or reserved'],
  ['the metadata host of GCP', 'https://metadata.google.internal/', 'private or reserved'],
])('%s is refused: %s', (_name, url, message) => {
  expect(refuseTarget(url, strict)).toContain(message);
});

it.each(['http://127.0.0.1:9999/', 'http://receiver.tests.svc/', 'https://localhost/'])(
  '%s may be sent to where the installation allows it',
  (url) => expect(refuseTarget(url, lax)).toBeUndefined(),
);

it.each(['http://169.254.169.254/', 'http://[fe80::1]/', 'http://0.0.0.0/', 'http://[::ffff:127.0.0.1]/'])(
  '%s is refused even then',
  (url) => expect(refuseTarget(url, lax)).toContain('private or reserved'),
);
