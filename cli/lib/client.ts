import { version } from '../../core/version.ts';
import { type Client, createClient } from '../../sdk/src/client.ts';
import type { Settings } from '../config/settings.ts';
import type { Io } from '../io/io.ts';
import type { Ui } from '../io/ui.ts';

export type { Client } from '../../sdk/src/client.ts';
export { isSlipwayError } from '../../sdk/src/error.ts';

/** A shorter wait needs no explanation. */
const longWaitMs = 2_000;

/** A client of the SDK; what the service warns of goes to stderr, and so does why a request takes long. */
export function createClientFor(settings: Pick<Settings, 'url'> & Partial<Settings>, io: Io, ui: Ui): Client {
  return createClient({
    url: settings.url,
    apiKey: settings.apiKey,
    workspace: settings.workspace,
    userAgent: `slipway-cli/${version}`,
    fetch: io.fetch,
    onWarning: (text) => ui.note(`Warning: ${text}`),
    onRetry: ({ message }, waitMs) => {
      if (waitMs >= longWaitMs) ui.note(`${message}. Retrying in ${Math.ceil(waitMs / 1_000)}s.`);
    },
  });
}
