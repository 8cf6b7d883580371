import { jest } from '@jest/globals';
import { minuteMs } from './families.ts';
import { describeRealLayer2 } from './layer2Real.ts';

jest.setTimeout(6 * minuteMs);

describeRealLayer2({
  type: 'BNB',
  spec: { gasLimit: 40_000_000 },
  gasLimit: 40_000_000n,
  blockTime: 0,
  caveat: 'one validator',
});
