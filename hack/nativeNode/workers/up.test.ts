import { workerPlaces } from '../setup/place.ts';
import { nextPlace } from './up.ts';

describe('the next node', () => {
  it('takes the first place that is free', () => {
    expect(nextPlace([]).name).toBe('slipway-2');
    expect(nextPlace(workerPlaces.filter(({ number }) => number !== 3)).name).toBe('slipway-3');
  });

  it('is refused when there are as many as there can be', () => {
    expect(() => nextPlace(workerPlaces)).toThrow(/There are 3 added nodes.*make node-down/);
  });
});
