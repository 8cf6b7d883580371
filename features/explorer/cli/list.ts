import { atMost, findNetwork } from '../../../cli/lib/resolve.ts';
import { type CommandSpec, limitOption } from '../../../cli/lib/spec.ts';

export const listCommand: CommandSpec = {
  usage: 'list <network>',
  summary: 'List the contracts on the current chain of a network that are known by name.',
  details: `They were verified, or deployed with a token. Does not wake the network. "slipway call", "send" and "logs" take their names in
place of their addresses.`,
  options: [
    { flags: '--name <text>', text: 'Part of the name, or of the name or symbol of the token.' },
    limitOption,
  ],
  examples: ['slipway contract list my-net', 'slipway contract list my-net --name counter'],
  async run({ io, ui, client }, { args: [given = ''], options }) {
    const sdk = await client();
    const { id } = await findNetwork(sdk, given);
    const limit = options.wholeNumber('limit');
    const found = sdk.contracts.listAll(id, { name: options.text('name'), limit }, { signal: io.signal });
    await ui.list(atMost(found, limit), [
      { title: 'address', value: ({ address }) => address },
      { title: 'name', value: ({ name }) => name },
      { title: 'origin', value: ({ origin }) => origin },
      { title: 'token', value: ({ token }) => (token ? `${token.symbol} ${token.role}` : '') },
      { title: 'match', value: ({ match }) => match ?? '' },
      { title: 'compiler', value: ({ compiler }) => compiler ?? '' },
      { title: 'verified', value: ({ verifiedAt }) => verifiedAt ?? '' },
    ]);
  },
};
