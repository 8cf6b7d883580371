import type { z } from 'zod';
import type { Condition } from '../api/common.ts';
import type { PluginName, pluginStatusesSchema } from '../api/resources/plugins.ts';
import { compact } from '../lib/compact.ts';
import { cut } from '../lib/text/foreignText.ts';
import type { PluginReport } from './plugin.ts';

type PluginStatuses = z.infer<typeof pluginStatusesSchema>;
export type PluginStatus = NonNullable<PluginStatuses[PluginName]>;

/** The progress of a plugin. */
export interface PluginProgress {
  state: PluginStatus['state'];
  message: string;
  /** Names this deployment of the plugin. */
  deployment?: string;
  /** Of a plugin that is ready. */
  report?: PluginReport;
}

/** The entry of status.plugins. */
export function pluginStatusOf({ state, message, deployment, report }: PluginProgress): PluginStatus {
  return { state, message: cut(message, 1024), ...compact({ deployment }), ...report };
}

/** The condition of a plugin: PluginGraphReady of `graph`. A plugin that fails does not change the network's own state. */
export function pluginConditionOf(
  name: PluginName,
  { state, message }: PluginProgress,
): Pick<Condition, 'type' | 'status' | 'reason' | 'message'> {
  const type = `Plugin${name.charAt(0).toUpperCase()}${name.slice(1)}Ready`;
  const reason = { Pending: 'Provisioning', Ready: 'Ready', Error: 'Failed' }[state];
  return { type, status: state === 'Ready' ? 'True' : 'False', reason, message };
}
