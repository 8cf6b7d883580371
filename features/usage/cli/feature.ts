import { workspaceIdOf } from '../../../cli/commands/workspace.ts';
import type { CliFeature } from '../../../cli/feature.ts';
import { tableText } from '../../../cli/io/table.ts';
import type { Context } from '../../../cli/lib/context.ts';
import type { Call, CommandSpec } from '../../../cli/lib/spec.ts';
import type { Usage } from '../../../sdk/src/generated/types.ts';

const usageCommand: CommandSpec = {
  usage: 'usage',
  summary: 'Show the usage of the workspace by day, of its budgets, and what it stores.',
  options: [{ flags: '--days <number>', text: 'Number of days, including today (30).', least: 1 }],
  examples: ['slipway usage', 'slipway usage --days 7 --json | jq .days'],
  run: showUsage,
};

export const feature: CliFeature = { commands: [usageCommand] };

async function showUsage(context: Context, { options }: Call): Promise<void> {
  const client = await context.client();
  const days = options.wholeNumber('days');
  const usage = await client.workspaces.getUsage(
    await workspaceIdOf(context, client),
    { days },
    { signal: context.io.signal },
  );
  context.ui.object(usage, `${budgetsText(usage)}\n${storedText(usage)}${daysText(usage)}`);
}

function budgetsText({ budgets }: Usage): string {
  return tableText(budgets, [
    { title: 'budget', value: ({ name }) => name },
    { title: 'used', value: ({ used }) => String(used) },
    { title: 'of', value: ({ max }) => (max === undefined ? 'no limit' : String(max)) },
  ]);
}

/** Empty if nothing was counted yet, or by a service of an earlier release. */
function storedText({ stored = [] }: Partial<Usage>): string {
  if (stored.length === 0) return '';
  const table = tableText(stored, [
    { title: 'stored', value: ({ kind }) => kind },
    { title: 'bytes', value: ({ bytes }) => String(bytes) },
  ]);
  return `${table}\n`;
}

function daysText({ days }: Usage): string {
  return tableText(days, [
    { title: 'day', value: ({ day }) => day },
    { title: 'network hours', value: ({ networkHours }) => networkHours.toFixed(2) },
    { title: 'rpc calls', value: ({ rpcCalls }) => String(rpcCalls) },
    { title: 'transactions', value: ({ transactions }) => String(transactions) },
  ]);
}
