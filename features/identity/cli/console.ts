import type { Context } from '../../../cli/lib/context.ts';
import type { Call, CommandSpec } from '../../../cli/lib/spec.ts';

export const consoleCommand: CommandSpec = {
  usage: 'console',
  summary: 'Print a link that signs you in to the console.',
  details: `The link works once, within 15 minutes. It needs an API key with all your permissions. Whoever has the link can sign in as
you, so treat it like a password. With --browser, other users of this machine may see it in the arguments of the program
that opens it.`,
  options: [{ flags: '--browser', text: 'Open it in the browser.' }],
  examples: ['slipway console', 'slipway console --browser', 'slipway console --json | jq -r .url'],
  run: printLink,
};

async function printLink({ client, io, ui }: Context, { options }: Call): Promise<void> {
  const { signIn } = await client();
  const link = await signIn.createLink({ signal: io.signal });
  if (options.isSet('browser')) return io.open(link.url);
  ui.answer(link, `${link.url}\n`);
}
