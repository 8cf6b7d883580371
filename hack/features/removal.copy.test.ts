import { features } from '../../features/features.ts';
import { expectRemovable } from './withoutFeature.ts';

/** The first is in the ordinary run: removal.test.ts. */
const [, ...others] = Object.keys(features);

it.each(others)('%s is its folder and its line: the rest is complete without them', expectRemovable);
