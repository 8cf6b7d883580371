import { allPluginsSkipReason, describeAllPlugins } from '../lib/allPlugins.ts';

const suite = allPluginsSkipReason ? describe.skip : describe;
suite(`on one network${allPluginsSkipReason ? ` (${allPluginsSkipReason})` : ''}`, () => {
  describeAllPlugins({ limitMs: 600_000 });
});
