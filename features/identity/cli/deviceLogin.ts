import { hostname } from 'node:os';
import { printable } from '../../../cli/io/terminal.ts';
import { type Client, createClientFor, isSlipwayError } from '../../../cli/lib/client.ts';
import type { Context } from '../../../cli/lib/context.ts';
import { fail } from '../../../cli/lib/failure.ts';
import type { DeviceSignIn } from '../../../sdk/src/generated/types.ts';

const maxName = 64;
/** What an installation answers in which nobody can sign in with a browser, or which is older than this. */
const notOffered = [401, 403, 404, 405];

/**
 * An API key of this machine's own, which a user approves in the console. Undefined if the installation does not offer
 * that.
 */
export async function deviceKey(context: Context, url: string): Promise<string | undefined> {
  const { io, ui } = context;
  const client = createClientFor({ url }, io, ui);
  const asked = await ask(client, context);
  if (!asked) return undefined;
  await show(context, asked);
  ui.step({ state: 'Pending' }, 'Waiting for your approval in the browser');
  try {
    await untilApproved(client, context, asked);
    const { deviceCode } = asked;
    const { token } = await client.devices.createApiKey({ deviceCode }, { signal: io.signal });
    return token;
  } catch (error) {
    throw isSlipwayError(error, 'NotFound') ? isOver() : error;
  } finally {
    ui.end();
  }
}

async function ask(client: Client, { io }: Context): Promise<DeviceSignIn | undefined> {
  const name = printable(hostname()).slice(0, maxName).trim() || 'unnamed machine';
  try {
    return await client.devices.ask({ name }, { signal: io.signal });
  } catch (error) {
    if (isSlipwayError(error) && notOffered.includes(error.status)) return undefined;
    throw error;
  }
}

/** Nothing works without the code, so it is shown whatever the output is. */
async function show({ io }: Context, { url, urlWithCode, userCode }: DeviceSignIn): Promise<void> {
  const say = (text: string) => io.stderr.write(`${printable(text)}\n`);
  say(`Your code is  ${userCode}`);
  // Over SSH the browser would open on a machine where nobody sits.
  const isHere = io.stdin.isTerminal && !io.env.SSH_CONNECTION;
  const isOpen = isHere && (await opens(io.open(urlWithCode)));
  if (!isOpen) return say(`Open  ${urlWithCode}`);
  say(`Approve it in the browser. If none has opened, enter the code at  ${url}`);
}

const opens = (page: Promise<void>): Promise<boolean> =>
  page.then(
    () => true,
    () => false,
  );

async function untilApproved(
  client: Client,
  { io }: Context,
  { deviceCode, intervalSeconds }: DeviceSignIn,
): Promise<void> {
  for (;;) {
    await io.clock.sleep(intervalSeconds * 1000, io.signal);
    const { state } = await client.devices.poll({ deviceCode }, { signal: io.signal });
    if (state === 'Approved') return;
    if (state === 'Denied')
      throw fail(
        'signIn',
        'Access was denied in the console.',
        'Run "slipway login" again to ask once more.',
      );
  }
}

function isOver(): Error {
  return fail(
    'signIn',
    'The code is no longer valid: nobody approved it within ten minutes, or it was used already.',
    'Run "slipway login" again for another code.',
  );
}
