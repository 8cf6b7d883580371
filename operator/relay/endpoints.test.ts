import type { JournalSpec } from '../../core/api/resources/journal.ts';
import { asStored } from '../../core/api/testing/stored.ts';
import { ccip } from '../../core/crosschain/ccip/ccipNetwork.ts';
import { minedIn } from './endpoints.ts';

const step = (block: number) => ({ attempt: 0, state: 'mined' as const, block, hash: `0x${block}` });
const journal = (steps: JournalSpec['steps']) =>
  asStored({
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Journal' as const,
    metadata: { name: 'j', namespace: 'ws-one' },
    spec: { scope: 's', ...(steps ? { steps } : {}) },
  });

it('a chain is that of a journal while it has both ramps, whatever lanes were undone', () => {
  const steps = { 'ccip:lane:a': step(30), [ccip.offRamp]: step(12), [ccip.onRamp]: step(11), x: step(40) };
  expect(minedIn(journal(steps))).toMatchObject({ block: 12 });
  expect(minedIn(journal({ [ccip.onRamp]: step(11), 'ccip:lane:a': step(30) }))).toMatchObject({ block: 11 });
});

it('a journal without ramps is of no chain yet', () => {
  expect(minedIn(journal({ 'ccip:lane:a': step(30) }))).toBeUndefined();
  expect(minedIn(journal(undefined))).toBeUndefined();
});
