import { describeRealLayer2 } from './layer2Real.ts';

describeRealLayer2({
  type: 'Avalanche',
  // The limit moves to it by 1/1024 a block, from 10 million on.
  spec: { gasLimit: 10_040_000 },
  gasLimit: 10_040_000n,
  blockTime: 2,
  caveat: 'only the C-Chain',
  isIdle: true,
});
