import type { Network } from '../../sdk/src/generated/types.ts';
import { printable } from '../io/terminal.ts';
import { isSlipwayError } from '../lib/client.ts';
import type { Context } from '../lib/context.ts';
import { readNetwork, stateText } from './look.ts';

const pauseMs = 1_000;

/** Prints the network whenever its spec or status differ from what was printed last. Ends when it is deleted. */
export async function watchNetwork(context: Context, network: Network): Promise<void> {
  const { io, ui } = context;
  const client = await context.client();
  let shown = '';
  for (;;) {
    const found = await readNetwork(client, network, io.signal).catch(ifPassing);
    if (found === undefined) return ui.item({ ...network, isDeleted: true }, `${network.name}: deleted`);
    if (found !== 'later' && versionOf(found) !== shown) {
      shown = versionOf(found);
      ui.item(found, `${time(io.clock.nowMs())}  ${printable(stateText(found))}`);
    }
    await io.clock.sleep(pauseMs, io.signal);
  }
}

/** Uses alone change nothing that is worth a line. */
function versionOf({ spec, status }: Network): string {
  return JSON.stringify([spec, { ...status, lastActivityAt: undefined }]);
}

/** A refusal ends the watch; a service that does not answer at the moment does not. */
function ifPassing(error: unknown): 'later' {
  const isPassing =
    isSlipwayError(error) && (error.status === 0 || error.status === 429 || error.status >= 500);
  if (isPassing) return 'later';
  throw error;
}

/** In UTC, as every time that the service tells. */
const time = (ms: number) => `${new Date(ms).toISOString().slice(11, 19)}Z`;
