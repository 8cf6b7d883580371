import { ask } from './families.ts';
import { describeRealLayer2 } from './layer2Real.ts';

describeRealLayer2({
  type: 'Optimism',
  spec: { blockTime: 1, gasLimit: 33_000_000 },
  gasLimit: 33_000_000n,
  blockTime: 1,
  caveat: 'a sequencer of our own',
});

it.each(['Arbitrum', 'Fantom', 'ZKSync', 'Polygon'])(
  '%s has no profile "real", with the reason',
  async (type) => {
    const { status, body } = await ask(type, { profile: 'real' });
    const path = `spec.chain.${type.toLowerCase()}.profile`;
    const message = expect.stringMatching(`"real" is not available for ${type}: .*Use "light"`);
    expect([status, body.details]).toEqual([400, [{ path, message }]]);
  },
);
