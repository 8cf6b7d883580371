import { readAccounts } from '../../../mcp/accounts.ts';
import { currencyOf } from '../../../sdk/src/currency.ts';
import type { Network } from '../../../sdk/src/generated/types.ts';
import type { Context } from '../../lib/context.ts';
import { fail } from '../../lib/failure.ts';
import { atMost, findNetwork, listQuery } from '../../lib/resolve.ts';
import { type Call, type CommandSpec, listOptions } from '../../lib/spec.ts';
import { usableKey } from '../../network/accounts.ts';
import { type NetworkFacts, snippetFor, tools } from '../../network/env.ts';
import { followLogs, readLogs } from '../../network/logs.ts';
import { networkColumns, showNetwork } from '../../network/show.ts';
import { watchNetwork } from '../../network/watch.ts';

const list: CommandSpec = {
  usage: 'list',
  summary: 'List networks. Does not wake them.',
  options: listOptions,
  examples: [
    'slipway network list',
    "slipway network list --selector 'status.state == Operational'",
    'slipway network list -l team=a --json',
  ],
  async run(context, { options }) {
    const { io, ui } = context;
    const query = listQuery(options);
    const items = (await context.client()).networks.listAll(query, { signal: io.signal });
    await ui.list(atMost(items, query.limit), networkColumns(io.clock.nowMs()));
  },
};

const get: CommandSpec = {
  usage: 'get <network>',
  summary: 'Show a network. Does not wake it.',
  examples: ['slipway network get my-net', 'slipway network get my-net --json | jq -r .status.state'],
  async run(context, { args: [name = ''] }) {
    const client = await context.client();
    const network = await findNetwork(client, name);
    showNetwork(context, network, await readAccounts(client, network, context.io.signal).catch(() => []));
  },
};

const watch: CommandSpec = {
  usage: 'watch <network>',
  summary:
    'Print each change of a network until you interrupt it or the network is deleted. Does not wake it.',
  examples: ['slipway network watch my-net', 'slipway network watch my-net --ndjson'],
  isEndless: true,
  async run(context, { args: [name = ''] }) {
    await watchNetwork(context, await findNetwork(await context.client(), name));
  },
};

const env: CommandSpec = {
  usage: 'env <network>',
  summary: 'Print the URLs of a network as exports for a shell, or a snippet for a tool.',
  details: `The exports contain access keys and, if you may read it, the private key of a funded account: treat the output like a
password. Snippets for tools read the variables instead, so you can commit them. Admin URLs are included if you may change
the network. Does not wake it.`,
  options: [
    { flags: '--for <tool>', text: 'Tool to print for (shell).', choices: tools },
    { flags: '--no-key', text: 'Leave out PRIVATE_KEY.' },
  ],
  examples: [
    'eval "$(slipway network env my-net)" && cast block-number --rpc-url "$RPC_URL"',
    'slipway network env my-net --for hardhat',
    'slipway network env my-net --json | jq -r .endpoints.rpc',
  ],
  run: printEnv,
};

const open: CommandSpec = {
  usage: 'open <network>',
  summary: 'Print the RPC URL of a network, or its page in the console, or open it in a browser.',
  options: [
    { flags: '--service <name>', text: 'Service to open, such as rest or graph (rpc).' },
    { flags: '--explorer', text: 'Its blocks and transactions in the console.', excludes: ['service'] },
    { flags: '--browser', text: 'Open it in the browser.' },
  ],
  examples: [
    'slipway network open my-net',
    'slipway network open my-net --explorer --browser',
    'slipway network open my-net --service rest --browser',
  ],
  run: openNetwork,
};

const logs: CommandSpec = {
  usage: 'logs <network>',
  summary: 'Print the logs of a network. Does not wake it.',
  details: 'With --follow, a broken stream is resumed where it ended, until you interrupt it.',
  options: [
    { flags: '-f, --follow', text: 'Keep printing new lines.' },
    { flags: '--service <name>', text: 'Part of the network, such as el-1, if it has several.' },
    { flags: '--tail <lines>', text: 'Number of last lines (1000).', least: 0 },
  ],
  examples: ['slipway network logs my-net --tail 50', 'slipway network logs my-net --service el-1 --follow'],
  isEndless: true,
  async run(context, { args: [name = ''], options }) {
    const client = await context.client();
    const { id } = await findNetwork(client, name);
    const request = { id, service: options.text('service'), tail: options.wholeNumber('tail') };
    if (options.isSet('follow')) await followLogs(context, client, request);
    else context.ui.raw(await readLogs(context, client, request));
  },
};

export const readCommands: readonly CommandSpec[] = [list, get, watch, env, open, logs];

async function printEnv(context: Context, { args: [given = ''], options }: Call): Promise<void> {
  const client = await context.client();
  const network = await findNetwork(client, given);
  const { ui, io } = context;
  const tool = options.text('for') ?? 'shell';
  const isPublic = options.flag('key') === false || tool !== 'shell';
  const privateKey = isPublic ? undefined : await usableKey(client, network, io.signal);
  const facts = { ...factsOf(network), privateKey };
  if (ui.format === 'text') return ui.raw(snippetFor(tool, facts));
  const { name, chainId, endpoints } = facts;
  ui.object({ name, chainId, endpoints, privateKey }, '');
}

function factsOf(network: Network): NetworkFacts {
  const { name, spec, status } = network;
  return {
    name,
    chainId: status?.chainID ?? '',
    endpoints: endpointsOf(network),
    currency: currencyOf(spec.chain.type),
  };
}

/** From its status, because reading the endpoints would wake it. */
function endpointsOf({ name, status }: Network): Record<string, string> {
  if (status?.endpoints && Object.keys(status.endpoints).length > 0) return status.endpoints;
  const state = status?.state ?? 'Pending';
  throw fail(
    'failed',
    `Network "${name}" has no endpoints yet: it is ${state}.`,
    `Run: slipway network wake ${name} --wait`,
  );
}

async function openNetwork(context: Context, { args: [given = ''], options }: Call): Promise<void> {
  const { io, ui } = context;
  const network = await findNetwork(await context.client(), given);
  const service = options.isSet('explorer') ? 'explorer' : (options.text('service') ?? 'rpc');
  const url = options.isSet('explorer')
    ? `${(await context.settings()).url}/networks/${network.id}/explorer`
    : urlOf(network, service);
  if (options.isSet('browser')) await io.open(url);
  else ui.answer({ service, url }, `${url}\n`);
}

function urlOf(network: Network, service: string): string {
  const endpoints = endpointsOf(network);
  const url = endpoints[service];
  if (url) return url;
  const known = Object.keys(endpoints).join(', ');
  throw fail('notFound', `Network "${network.name}" has no service "${service}".`, `It has: ${known}`);
}
