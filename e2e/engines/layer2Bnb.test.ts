import { describeRealLayer2 } from './layer2Real.ts';

describeRealLayer2({
  type: 'BNB',
  spec: { gasLimit: 40_000_000 },
  gasLimit: 40_000_000n,
  blockTime: 0,
  caveat: 'one validator',
});
