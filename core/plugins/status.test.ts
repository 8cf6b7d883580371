import { pluginStatusesSchema } from '../api/resources/plugins.ts';
import { type PluginProgress, pluginConditionOf, pluginStatusOf } from './status.ts';

const ready: PluginProgress = {
  state: 'Ready',
  message: 'running',
  report: { addresses: { coordinator: '0x01' }, values: { subscription: '7' } },
};

it.each<[string, PluginProgress, string, string]>([
  ['is ready', ready, 'True', 'Ready'],
  ['is being set up', { state: 'Pending', message: 'the node is starting' }, 'False', 'Provisioning'],
  ['failed', { state: 'Error', message: 'the node exited with code 1' }, 'False', 'Failed'],
])('a plugin that %s has a condition of its own', (_reason, progress, status, reason) => {
  const { message } = progress;
  expect(pluginConditionOf('graph', progress)).toEqual({ type: 'PluginGraphReady', status, reason, message });
});

it('status.plugins matches the schema of the contract', () => {
  const statuses = {
    vrf: pluginStatusOf(ready),
    graph: pluginStatusOf({ state: 'Error', message: 'x'.repeat(5000) }),
  };
  expect(pluginStatusesSchema.parse(statuses)).toEqual(statuses);
  expect(statuses.vrf).toEqual({ state: 'Ready', message: 'running', ...ready.report });
});
