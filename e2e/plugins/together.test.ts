import { jest } from '@jest/globals';
import { allPluginsSkipReason, describeAllPlugins } from '../lib/allPlugins.ts';

jest.setTimeout(400_000);

const suite = allPluginsSkipReason ? describe.skip : describe;
suite(`on one network${allPluginsSkipReason ? ` (${allPluginsSkipReason})` : ''}`, () => {
  describeAllPlugins({ limitMs: 180_000 });
});
