import type { Token } from '../../../sdk/src/generated/types.ts';
import { unknownValue } from '../../../sdk/src/unknownValue.ts';
import type { Context } from '../../lib/context.ts';
import { atMost, findNetwork, findToken, listQuery } from '../../lib/resolve.ts';
import { type Call, type CommandSpec, listOptions, timeoutOption, waitOptions } from '../../lib/spec.ts';
import { waitUntil } from '../../lib/wait.ts';
import { ageOf } from '../../network/show.ts';
import { argOption, argsOf, deploy, deployOptions, standardsOf } from './deploy.ts';
import { showToken, tokenWait } from './show.ts';

export const tokenCommand: CommandSpec = {
  usage: 'token',
  summary: 'Deploy tokens on networks.',
  children: [
    {
      usage: 'deploy',
      summary: 'Create a token and deploy it on networks.',
      options: [...deployOptions, ...waitOptions],
      examples: [
        'slipway token deploy --standard erc20 --name Example --symbol EXM --network my-net --arg total_supply=1000000ether --wait',
        'slipway token deploy --standard cct/burn-mint --name Tour --symbol TOUR --network a --network b --arg total_supply=1000ether',
        'slipway token deploy --standard oft --file token.json --wait',
      ],
      bodyOption: 'file',
      run: deploy,
    },
    {
      usage: 'list',
      summary: 'List your tokens.',
      options: [
        {
          flags: '--standard <type>',
          text: 'Only tokens of this standard.',
          choices: ['ERC20', 'ERC3643', 'CCT', 'OFT'],
        },
        ...listOptions,
      ],
      examples: ['slipway token list', 'slipway token list --standard CCT --json'],
      run: list,
    },
    {
      usage: 'get <token>',
      summary: 'Show a token and its deployments.',
      examples: [
        'slipway token get EXM',
        "slipway token get EXM --json | jq -r '.deployments[].token_address'",
      ],
      async run(context, { args: [given = ''] }) {
        await showToken(context, await findToken(await context.client(), given));
      },
    },
    {
      usage: 'wait <token>',
      summary: 'Wait until a token is deployed on all its networks.',
      options: [timeoutOption],
      examples: ['slipway token wait EXM --timeout 5m'],
      async run(context, { args: [given = ''], options }) {
        const client = await context.client();
        const token = await findToken(client, given);
        await waitUntil(context, tokenWait(client, token), options);
        await showToken(context, await client.tokens.get(token.id, { signal: context.io.signal }));
      },
    },
    {
      usage: 'add-network <token> <network...>',
      summary: 'Deploy a token on additional networks.',
      options: [argOption, ...waitOptions],
      examples: ['slipway token add-network EXM other-net --arg total_supply=1000000ether --wait'],
      run: addNetworks,
    },
    {
      usage: 'delete <token>',
      summary: 'Delete a token and the records of its deployments. Its contracts stay on the chains.',
      options: [{ flags: '--network <network>', text: 'Only the record of the deployment on this network.' }],
      examples: ['slipway token delete EXM', 'slipway token delete EXM --network my-net'],
      run: remove,
    },
    {
      usage: 'standards',
      summary: 'List the token standards.',
      examples: ['slipway token standards'],
      async run({ io, ui, client }) {
        const items = await (await client()).tokens.listTypes({ signal: io.signal });
        await ui.list(items, [
          { title: 'standard', value: (item) => item },
          { title: 'deploy --standard', value: (item) => standardsOf(item).join(', ') },
        ]);
      },
    },
  ],
};

async function list({ io, ui, client }: Context, { options }: Call): Promise<void> {
  const standard = options.text('standard');
  const type = standard === undefined ? undefined : unknownValue(standard);
  const query = { ...listQuery(options), type };
  const items = (await client()).tokens.listAll(query, { signal: io.signal });
  const nowMs = io.clock.nowMs();
  await ui.list<Token>(atMost(items, query.limit), [
    { title: 'name', value: ({ name }) => name },
    { title: 'symbol', value: ({ symbol }) => symbol },
    { title: 'standard', value: ({ type, mechanism }) => [type, mechanism].filter(Boolean).join(' ') },
    { title: 'deployed', value: ({ deployments = [] }) => deployedOf(deployments) },
    { title: 'age', value: ({ created_at }) => ageOf(created_at, nowMs) },
    { title: 'id', value: ({ id }) => id },
  ]);
}

/** On how many networks it is, and on how many it was or failed. */
function deployedOf(deployments: NonNullable<Token['deployments']>): string {
  const count = (wanted: string) => deployments.filter(({ state }) => state === wanted).length;
  const problems = [
    [count('Lost'), 'lost'],
    [count('Error'), 'failed'],
  ] as const;
  const others = problems.flatMap(([number, what]) => (number > 0 ? [`${number} ${what}`] : []));
  return [`${count('Deployed')}/${deployments.length}`, ...others].join(', ');
}

async function addNetworks(context: Context, { args: [given = '', ...names], options }: Call): Promise<void> {
  const client = await context.client();
  const { id } = await findToken(client, given);
  const networks = await Promise.all(names.map(async (name) => (await findNetwork(client, name)).id));
  const body = { networks, args: await argsOf(context, options) };
  const token = await client.tokens.addDeployments(id, body, { signal: context.io.signal });
  if (!options.isSet('wait')) return showToken(context, token);
  await waitUntil(context, tokenWait(client, token), options);
  await showToken(context, await client.tokens.get(id, { signal: context.io.signal }));
}

async function remove(context: Context, { args: [given = ''], options }: Call): Promise<void> {
  const { io, ui } = context;
  const client = await context.client();
  const { id, symbol } = await findToken(client, given);
  const network = options.text('network');
  if (network === undefined) {
    await client.tokens.delete(id, { signal: io.signal });
    return ui.item({ id, isDeleted: true }, `deleted ${symbol}`);
  }
  const { id: network_id, name } = await findNetwork(client, network);
  await client.tokens.deleteDeployment({ token_id: id, network_id }, { signal: io.signal });
  ui.item({ id, network_id, isDeleted: true }, `deleted ${symbol} on ${name}`);
}
