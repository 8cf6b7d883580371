import { features } from '../../features/features.ts';
import { expectRemovable } from './withoutFeature.ts';

/**
 * Pages of the console and the stream of blocks in the SDK are not part of the explorer yet. The first is in the ordinary run: removal.test.ts.
 */
const [, ...others] = Object.keys(features).filter((feature) => feature !== 'explorer');

it.each(others)('%s is its folder and its line: the rest is complete without them', expectRemovable);
