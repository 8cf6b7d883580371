import type { ServiceAnswer, ServiceRequest } from '../../plugin.ts';

const account = '0x71b3f8E56f3Aa01c867ab275f1a2FB7dA1F2EA85';

/** What a new node answers to the plugin's steps, for tests of what is around them. */
export function answerAsNode({ method, path }: ServiceRequest): ServiceAnswer {
  const json = (body: object, status = 200): ServiceAnswer => ({
    status,
    headers: {},
    body: JSON.stringify(body),
  });
  if (path === '/sessions') {
    return { ...json({}), headers: { 'set-cookie': 'clsession=a; Path=/; HttpOnly' } };
  }
  if (path === '/v2/keys/evm') {
    const attributes = { address: account, createdAt: '2026-01-01T00:00:00Z', disabled: false };
    return json({ data: [{ attributes }] });
  }
  return method === 'GET'
    ? json({ errors: [{ detail: 'job not found' }] }, 404)
    : json({ data: { id: '1' } });
}
