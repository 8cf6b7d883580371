import { nextNonce } from './maintenance.ts';

const chain = { type: 'Ethereum' } as const;

test.each([
  ['the first', undefined, undefined, 1],
  ['one after another that is done', 3, 3, 4],
  ['one while another is not taken up yet', 4, 3, 5],
  ['one where kubectl used a lower nonce than before', 1, 7, 8],
])('a maintenance request has a nonce of its own: %s', (_what, asked, observed, expected) => {
  const spec = {
    chain,
    ...(asked ? { maintenanceRequest: { action: 'Restart' as const, nonce: asked } } : {}),
  };
  const status = {
    state: 'Operational' as const,
    ...(observed ? { observedMaintenanceNonce: observed } : {}),
  };
  expect(nextNonce({ spec, status })).toBe(expected);
});
