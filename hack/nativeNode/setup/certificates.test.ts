import { createPrivateKey, X509Certificate } from 'node:crypto';
import { type Authority, createAuthority, readAuthority } from './certificates.ts';

let authority: Authority;
beforeAll(async () => {
  authority = await createAuthority('kubernetes');
});

const read = (pem: string) => new X509Certificate(pem);

it('a certificate authority signs itself and may sign others', () => {
  const own = read(authority.pem.certificate);
  expect([own.subject, own.ca, own.verify(own.publicKey)]).toEqual(['CN=kubernetes', true, true]);
});

it('a client has the name and the group by which Kubernetes knows it', async () => {
  const { certificate, key } = await authority.issueClient({
    commonName: 'system:node:slipway',
    organization: 'system:nodes',
  });
  const client = read(certificate);
  expect(client.subject.split('\n')).toEqual(['O=system:nodes', 'CN=system:node:slipway']);
  expect(client.checkIssued(read(authority.pem.certificate))).toBe(true);
  expect(client.verify(read(authority.pem.certificate).publicKey)).toBe(true);
  expect(client.checkPrivateKey(createPrivateKey(key))).toBe(true);
  expect([client.ca, client.keyUsage]).toEqual([false, ['1.3.6.1.5.5.7.3.2']]);
});

it('a server is valid for its names and addresses', async () => {
  const { certificate } = await authority.issueServer({ commonName: 'kube-apiserver' }, [
    'kubernetes.default.svc',
    '10.96.0.1',
  ]);
  const server = read(certificate);
  expect(server.checkHost('kubernetes.default.svc')).toBe('kubernetes.default.svc');
  expect(server.checkIP('10.96.0.1')).toBe('10.96.0.1');
  expect(server.checkHost('example.com')).toBeUndefined();
});

it('an authority that was written signs on', async () => {
  const again = await readAuthority('kubernetes', authority.pem);
  const { certificate } = await again.issueClient({ commonName: 'system:kube-proxy' });
  expect(read(certificate).verify(read(authority.pem.certificate).publicKey)).toBe(true);
});

it('serial numbers are positive and differ', async () => {
  const issued = await Promise.all(
    Array.from({ length: 20 }, () => authority.issueClient({ commonName: 'x' })),
  );
  const serials = issued.map(({ certificate }) => read(certificate).serialNumber);
  expect(new Set(serials).size).toBe(20);
  expect(serials.filter((serial) => !serial.startsWith('01'))).toEqual([]);
});
