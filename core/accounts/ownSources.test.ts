import { aSecret } from '../api/testing/builders.ts';
import { readOwnSource, refuseSourceUrl } from './ownSources.ts';
import { createSealer } from './seal.ts';

const infura = { allowedHosts: ['.infura.io', 'Node.example'], allowPrivateAddresses: false };

describe('the URL of a workspace source', () => {
  it.each([
    ['a host in a domain', 'https://mainnet.infura.io/v3/KEY'],
    ['a host of several labels in a domain', 'https://a.b.infura.io/v3/KEY'],
    ['a host that is listed itself, in either case', 'https://NODE.example/KEY'],
    ['user and password', 'https://me:KEY@node.example/'],
    ['another port', 'https://node.example:8443/KEY'],
  ])('may have %s', (_case, url) => {
    expect(refuseSourceUrl(url, infura)).toBeUndefined();
  });

  it.each([
    ['the domain itself', 'https://infura.io/KEY'],
    ['a domain that ends alike', 'https://mainnet-infura.io/KEY'],
    ['a longer name', 'https://mainnet.infura.io.evil.example/KEY'],
    ['a host below a listed host', 'https://a.node.example/KEY'],
    ['a listed host as user', 'https://mainnet.infura.io@evil.example/KEY'],
    ['a listed host in the path', 'https://evil.example/mainnet.infura.io/KEY'],
    ['an address', 'https://169.254.169.254/KEY'],
    ['the root dot', 'https://node.example./KEY'],
  ])('is refused with %s, without quoting it', (_case, url) => {
    const refusal = refuseSourceUrl(url, infura);
    expect(refusal).toContain('(forks.ownSources.allowedHosts: .infura.io, Node.example)');
    expect(refusal).not.toMatch(/KEY|evil|169/);
  });

  it.each([
    ['http, which the provider key would cross in plain text', 'http://node.example/KEY', 'https:// URL'],
    ['another scheme', 'file://node.example/KEY', 'https:// URL'],
    ['no URL', 'KEY', 'https:// URL'],
    ['more than 2048 bytes', `https://node.example/KEY${'é'.repeat(1020)}`, '2048 bytes'],
  ])('is refused with %s', (_case, url, expected) => {
    const refusal = refuseSourceUrl(url, infura);
    expect(refusal).toContain(expected);
    expect(refusal).not.toContain('KEY');
  });

  it('may begin with http:// where private addresses are allowed, on listed hosts only', () => {
    const allowed = { ...infura, allowPrivateAddresses: true };
    expect(refuseSourceUrl('http://node.example/KEY', allowed)).toBeUndefined();
    expect(refuseSourceUrl('http://10.0.0.1/KEY', allowed)).toContain('allowedHosts');
  });
});

describe('the Secret of a source', () => {
  const sealer = createSealer({ currentId: 'k1', keys: new Map([['k1', Buffer.alloc(32, 7)]]) });
  const place = { namespace: 'ws', name: 'source' };
  const secretOf = (type: string, text: string) => {
    const data = sealer.seal(Buffer.from(text), { ...place, owner: 'user-1' });
    return aSecret({ ...place, spec: { type, data } });
  };
  const read = (secret: ReturnType<typeof secretOf> | undefined, allowed = infura) =>
    readOwnSource(sealer, { name: 'source', secret }, allowed);

  it('gives its URL, also with a line break at its end', () => {
    const url = 'https://node.example/KEY';
    expect(read(secretOf('rpc-url', `${url}\n`))).toEqual({ url });
  });

  it('is reported as missing', () => {
    expect(read(undefined)).toEqual({
      isMissing: true,
      refusal: expect.stringMatching(/"source" does not exist .* create it with the type rpc-url/),
    });
  });

  it('must be of type rpc-url: a private key is not taken for a URL', () => {
    expect(read(secretOf('private-key', 'https://node.example/KEY'))).toEqual({
      refusal: 'secret "source" is of type "private-key": use one of type rpc-url',
    });
  });

  it('is not opened where own sources are not allowed', () => {
    const none = { allowedHosts: [], allowPrivateAddresses: true };
    expect(read(secretOf('rpc-url', 'https://node.example/KEY'), none)).toEqual({
      refusal: expect.stringContaining('does not allow own fork sources'),
    });
  });
});
