import { call, keyPair, serviceUrl } from './lib/service.ts';

const key = { privateKeyRef: { name: 'k' } };
const good = { name: 'not-created', spec: { chain: { type: 'Ethereum', ethereum: key } } };
const withChain = (chain: object) => ({ name: 'not-created', spec: { chain } });

describe('an invalid body gets 400 with every invalid field', () => {
  const cases: [string, unknown, string[]][] = [
    ['an empty object', {}, ['name', 'spec']],
    ['a spec that is a string', { name: 'x', spec: 'Ethereum' }, ['spec']],
    ['no chain', { name: 'x', spec: {} }, ['spec.chain']],
    ['an unknown type', withChain({ type: 'Bitcoin' }), ['spec.chain.type']],
    ['no member for the type', withChain({ type: 'Ethereum' }), ['spec.chain.ethereum']],
    ['two chain specs', withChain({ type: 'Ethereum', ethereum: key, base: {} }), ['spec.chain.base']],
    [
      'no key reference',
      withChain({ type: 'Ethereum', ethereum: {} }),
      ['spec.chain.ethereum.privateKeyRef'],
    ],
    [
      'several invalid fields at once',
      {
        name: 'Bad_Name',
        spec: { persistent: 'yes', chain: { type: 'Ethereum', ethereum: { ...key, blockTime: -1 } } },
      },
      ['name', 'spec.persistent', 'spec.chain.ethereum.blockTime'],
    ],
    [
      'an unknown field',
      withChain({ type: 'Ethereum', ethereum: { ...key, speed: 3 } }),
      ['spec.chain.ethereum.speed'],
    ],
    [
      'a chain id that is a number',
      withChain({ type: 'Ethereum', ethereum: { ...key, chainID: 5 } }),
      ['spec.chain.ethereum.chainID'],
    ],
    ['names that differ', { ...good, metadata: { name: 'other' } }, ['metadata.name']],
    [
      'a participant with an unknown client',
      withChain({ type: 'Ethereum', ethereum: { ...key, participants: [{ elType: 'parity' }] } }),
      ['spec.chain.ethereum.participants[0].elType'],
    ],
  ];
  it.each(cases)('%s', async (_reason, body, paths) => {
    const answer = await call('POST', '/v1alpha/networks', { body });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ kind: 'Error', reason: 'BadRequest', requestId: expect.any(String) });
    const found = answer.body.details.map((detail: { path: string }) => detail.path);
    expect(found.sort()).toEqual([...paths].sort());
    expect(JSON.stringify(answer.body)).not.toMatch(/\.[jt]s:\d+|node_modules/);
  });
});

describe('a malicious body is rejected and the process keeps running', () => {
  const cases: [string, string, Record<string, string>, number][] = [
    ['broken JSON', '{"name":', {}, 400],
    ['deep nesting', `${'['.repeat(50_000)}${']'.repeat(50_000)}`, {}, 400],
    ['__proto__', '{"__proto__":{"isAdmin":true},"name":"x"}', {}, 400],
    ['a nested constructor', '{"name":"x","spec":{"constructor":{"prototype":{}}}}', {}, 400],
    ['2 MiB', JSON.stringify({ name: 'x'.repeat(2_097_152) }), {}, 413],
    ['another content type', 'name=x', { 'Content-Type': 'application/x-www-form-urlencoded' }, 415],
  ];
  it.each(cases)('%s', async (_reason, text, headers, status) => {
    const answer = await call('POST', '/v1alpha/networks', { text, headers });
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ kind: 'Error', message: expect.any(String) });
    expect((await call('GET', '/v1alpha/networks')).status).toBe(200);
  });
});

describe('a request without a valid key gets the same 401 in each case', () => {
  const wrong = 'x'.repeat(43);
  const cases: [string, Record<string, string>][] = [
    ['no key', {}],
    ['an unknown key', { 'X-API-Key-ID': 'nobody', 'X-API-Key-Secret': wrong }],
    ['a wrong secret', { ...keyPair, 'X-API-Key-Secret': wrong }],
    ['half a pair', { 'X-API-Key-ID': keyPair['X-API-Key-ID'] }],
    ['a wrong token', { Authorization: 'Bearer a.b' }],
    ['a pair and a token that disagree', { ...keyPair, Authorization: 'Bearer a.b' }],
  ];
  it.each(cases)('%s', async (_reason, headers) => {
    const { status, body } = await call('GET', '/v1alpha/networks', { isAnonymous: true, headers });
    expect(status).toBe(401);
    expect(body).toMatchObject({ kind: 'Error', reason: 'Unauthorized' });
  });
});

describe('what does not exist', () => {
  it.each([
    '/v1alpha/networks/nope',
    '/v1alpha/networks/00000000-0000-4000-8000-000000000000',
    '/v1alpha/nothing',
  ])('GET %s is 404', async (path) => {
    const { status, body } = await call('GET', path);
    expect(status).toBe(404);
    expect(body).toMatchObject({ kind: 'Error', reason: 'NotFound' });
  });

  it('returns 405 with the allowed methods', async () => {
    const { status, headers } = await call('PATCH', '/v1alpha/networks');
    expect(status).toBe(405);
    expect(headers.get('allow')).toMatch(/GET.*POST|POST.*GET/);
  });

  it('returns 400 for a list with an invalid limit, selector or cursor, or an unknown parameter', async () => {
    for (const query of ['limit=0', 'limit=x', 'selector=name%20%3D%3D%20x', 'cursor=abc', 'sort=name']) {
      const { status, body } = await call('GET', `/v1alpha/networks?${query}`);
      expect({ query, status }).toEqual({ query, status: 400 });
      expect(body.details[0].path).toBe(query.split('=')[0]);
    }
  });
});

describe('documents that need no key', () => {
  it('include the OpenAPI document', async () => {
    const { status, body } = await call('GET', '/openapi.json', { isAnonymous: true });
    expect(status).toBe(200);
    expect(body.openapi).toMatch(/^3\.1/);
    expect(Object.keys(body.paths).length).toBeGreaterThan(20);
  });

  it('include a documentation page that loads nothing from other hosts', async () => {
    const answer = await fetch(`${serviceUrl}/docs`);
    const html = await answer.text();
    expect(answer.status).toBe(200);
    expect(html).not.toMatch(/(src|href)="https?:\/\/(?!json-schema\.org)/);
  });
});
