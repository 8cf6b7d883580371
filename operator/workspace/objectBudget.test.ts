import { createManualClock } from '../../core/lib/manualClock.ts';
import type { ResourceQuota } from './kinds.ts';
import { createObjectBudget } from './objectBudget.ts';

const hard = { 'count/networks.slipway.dev': '5', 'count/tokens.slipway.dev': '5' };
const quota = (...counted: string[]): ResourceQuota => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'slipway-objects', namespace: 'ws' },
  spec: { hard },
  status: { used: Object.fromEntries(counted.map((name) => [name, '0'])) },
});
const names = Object.keys(hard);

describe('the budget of custom resources', () => {
  const clock = createManualClock();
  const turn = createObjectBudget(clock);

  it('is tried, and looked at again', () => {
    expect(turn('ws', undefined)).toEqual({ isWanted: true, requeueAfterMs: 1_000 });
  });

  it('may take a moment to be counted', () => {
    clock.advance(1_000);
    expect(turn('ws', quota()).isWanted).toBe(true);
  });

  it('is withdrawn when a kind is not counted, because nothing of that kind could be created', () => {
    clock.advance(2_000);
    expect(turn('ws', quota(names[0] ?? ''))).toEqual({ isWanted: false, requeueAfterMs: 35_000 });
    clock.advance(34_000);
    expect(turn('ws', undefined)).toEqual({ isWanted: false, requeueAfterMs: 1_000 });
  });

  it('is tried again later, and kept once all kinds are counted', () => {
    clock.advance(1_000);
    expect(turn('ws', undefined).isWanted).toBe(true);
    expect(turn('ws', quota(...names))).toEqual({ isWanted: true });
  });
});
