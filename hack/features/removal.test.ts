import { features } from '../../features/features.ts';
import { expectRemovable } from './withoutFeature.ts';

const [first = ''] = Object.keys(features);

/** One of them; removal.copy.test.ts has the others. */
it(`${first} is its folder and its line: the rest is complete without them`, () => {
  expectRemovable(first);
});
