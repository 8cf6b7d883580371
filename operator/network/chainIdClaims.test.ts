import type { EvmRpc } from '../../core/evm/rpc.ts';
import { toRfc3339 } from '../../core/lib/clock.ts';
import { createChainIdClaims } from './chainIdClaims.ts';
import { aNetwork } from './testing/facts.ts';

const running = aNetwork({}, { status: { state: 'Operational', enclaveID: 'one', chainID: '7' } });

function createNode(answer: () => Promise<unknown>) {
  let asked = 0;
  const rpc: EvmRpc = {
    call: () => {
      asked += 1;
      return answer();
    },
    batch: async () => [],
  };
  return { claims: createChainIdClaims(() => rpc), asked: () => asked };
}

it('what an engine claims is known after it was asked, and asked again when it is old', async () => {
  let id = '0x7';
  const { claims, asked } = createNode(async () => id);
  expect(claims.claimOf(running, 1_000_000)).toBeUndefined();
  await Promise.resolve();
  await Promise.resolve();
  expect(claims.claimOf(running, 1_001_000)).toBe('7');
  expect(asked()).toBe(1);
  id = '0x1';
  claims.claimOf(running, 1_061_000);
  await Promise.resolve();
  await Promise.resolve();
  expect(claims.claimOf(running, 1_062_000)).toBe('1');
});

it('a claim of an earlier incarnation is forgotten', async () => {
  const { claims } = createNode(async () => '0x7');
  claims.claimOf(running, 1_000_000);
  await Promise.resolve();
  await Promise.resolve();
  const next = { ...running, status: { ...running.status, enclaveID: 'two' } };
  expect(claims.claimOf(next, 1_001_000)).toBeUndefined();
});

it('a network that is gone leaves nothing', async () => {
  const { claims } = createNode(async () => '0x7');
  claims.claimOf(running, 1_000_000);
  await Promise.resolve();
  await Promise.resolve();
  claims.forget(running.metadata.uid);
  expect(claims.claimOf(running, 1_001_000)).toBeUndefined();
});

it('an engine that does not answer claims nothing', async () => {
  const { claims } = createNode(async () => Promise.reject(new Error('away')));
  claims.claimOf(running, 1_000_000);
  await Promise.resolve();
  await Promise.resolve();
  expect(claims.claimOf(running, 1_001_000)).toBeUndefined();
});

const used = { ...running, status: { ...running.status, lastActivityAt: toRfc3339(1_000_000) } };

it.each([
  ['in use', used, 60_000],
  ['in an error', { ...running, status: { ...running.status, state: 'Error' as const } }, 60_000],
  ['that nobody uses', running, 900_000],
  ['that is stopped', { ...running, status: { ...running.status, state: 'Stopped' as const } }, undefined],
])('a network %s comes back for its claim after %s ms', (_what, network, ms) => {
  const { claims } = createNode(async () => '0x7');
  expect(claims.nextMs(network, 1_001_000, undefined)).toBe(ms);
});

it('what is due earlier stays earlier', () => {
  const { claims } = createNode(async () => '0x7');
  expect(claims.nextMs(running, 1_001_000, 5_000)).toBe(5_000);
});
