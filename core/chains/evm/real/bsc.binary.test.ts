import { describeReal } from './testing/describeReal.ts';

describeReal({
  type: 'BNB',
  engines: ['bsc'],
  spec: { gasLimit: 40_000_000 },
  gasLimit: 40_000_000,
  blockTime: 0.45,
});
