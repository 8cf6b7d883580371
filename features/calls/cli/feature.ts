import type { CliFeature } from '../../../cli/feature.ts';
import type { Context } from '../../../cli/lib/context.ts';
import { findNetwork } from '../../../cli/lib/resolve.ts';
import type { Call as CommandCall, CommandSpec } from '../../../cli/lib/spec.ts';
import type { Call } from '../../../sdk/src/generated/types.ts';
import { followCalls } from './follow.ts';
import { calledOf, outcomeOf } from './line.ts';

const calls: CommandSpec = {
  usage: 'calls <network>',
  summary: 'Show the last JSON-RPC calls to a network, oldest first. Does not wake it.',
  details: `Calls are kept only while that is switched on: --on begins, --off ends and forgets them. The last 1,000 are kept, in the memory of
the service. With --follow, new ones are printed until you interrupt it.`,
  options: [
    { flags: '--failed', text: 'Only those that failed.', excludes: ['on', 'off'] },
    { flags: '-f, --follow', text: 'Keep printing new calls.', excludes: ['on', 'off'] },
    {
      flags: '--limit <number>',
      text: 'How many of the last calls (100).',
      least: 1,
      excludes: ['on', 'off'],
    },
    { flags: '--on', text: 'Keep the calls from now on.', excludes: ['off'] },
    { flags: '--off', text: 'Keep them no longer, and forget those that are kept.' },
  ],
  examples: [
    'slipway network calls my-net --on',
    'slipway network calls my-net --failed --follow',
    'slipway network calls my-net --limit 1000 --ndjson | jq -r .method | sort | uniq -c',
  ],
  isEndless: true,
  run: runCalls,
};

export const feature: CliFeature = { networkCommands: [calls] };

async function runCalls(context: Context, { args: [name = ''], options }: CommandCall): Promise<void> {
  const { io, ui } = context;
  const client = await context.client();
  const { id } = await findNetwork(client, name);
  if (options.isSet('on') || options.isSet('off')) {
    const enabled = options.isSet('on');
    const answer = await client.networks.switchCalls(id, { enabled }, { signal: io.signal });
    return ui.object(
      answer,
      `The calls to ${name} are ${enabled ? 'kept from now on' : 'no longer kept'}.\n`,
    );
  }
  const failed = options.isSet('failed') ? ('true' as const) : undefined;
  const request = { id, failed, limit: options.wholeNumber('limit') };
  if (options.isSet('follow')) return followCalls(context, client, request);
  const { failed: only, limit } = request;
  const list = await client.networks.getCalls(id, { failed: only, limit }, { signal: io.signal });
  noteGaps(context, name, list);
  await ui.list(list.items, columns);
}

const columns = [
  { title: 'time', value: ({ time }: Call) => time },
  { title: 'key', value: ({ key }: Call) => key },
  { title: 'ms', value: ({ durationMs }: Call) => String(durationMs) },
  { title: 'outcome', value: outcomeOf },
  { title: 'call', value: calledOf },
];

function noteGaps(
  { ui }: Context,
  name: string,
  { enabled, missingReplicas }: { enabled: boolean; missingReplicas: number },
): void {
  if (!enabled) ui.note(`The calls to ${name} are not kept. Run: slipway network calls ${name} --on`);
  if (missingReplicas > 0) ui.note(`${missingReplicas} replicas did not answer: their calls are missing.`);
}
