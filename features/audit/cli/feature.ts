import { workspaceIdOf } from '../../../cli/commands/workspace.ts';
import type { CliFeature } from '../../../cli/feature.ts';
import type { Context } from '../../../cli/lib/context.ts';
import { atMost } from '../../../cli/lib/resolve.ts';
import type { Call, CommandSpec } from '../../../cli/lib/spec.ts';
import type { AuditEntry } from '../../../sdk/src/generated/types.ts';

/** What a person wants to see at once. */
const usualLimit = 100;

const auditCommand: CommandSpec = {
  usage: 'audit',
  summary: 'List what callers did in the workspace, newest first.',
  details:
    'For owners and admins. Lists changes, refused attempts and reads of secrets, without request bodies.',
  options: [
    { flags: '--actor <id>', text: 'Only by this user, API key or session.' },
    { flags: '--action <operation>', text: 'Only this operation, such as deleteNetwork.' },
    { flags: '--outcome <outcome>', text: 'Only with this outcome: ok, or a reason such as Forbidden.' },
    { flags: '--since <time>', text: 'Only at this time or later: 2031-01-31T00:00:00Z.' },
    { flags: '--limit <number>', text: 'Maximum number of entries (100).', least: 1 },
  ],
  examples: [
    'slipway audit --action deleteNetwork',
    'slipway audit --outcome Forbidden --since 2031-01-31T00:00:00Z --ndjson',
  ],
  run: listEntries,
};

export const feature: CliFeature = { commands: [auditCommand] };

async function listEntries(context: Context, { options }: Call): Promise<void> {
  const client = await context.client();
  const query = {
    actor: options.text('actor'),
    action: options.text('action'),
    outcome: options.text('outcome'),
    since: options.text('since'),
  };
  const entries = client.workspaces.listAllAudit(await workspaceIdOf(context, client), query, {
    signal: context.io.signal,
  });
  await context.ui.list(atMost(entries, options.wholeNumber('limit') ?? usualLimit), [
    { title: 'time', value: ({ at }) => at },
    { title: 'user', value: ({ userName, userID }) => userName ?? userID },
    { title: 'with', value: withWhat },
    { title: 'action', value: ({ action, count }) => (count > 1 ? `${action} (${count} times)` : action) },
    { title: 'outcome', value: ({ outcome }) => outcome },
    { title: 'from', value: ({ source = '' }) => source },
    { title: 'objects', value: ({ objects }) => objectsText(objects) },
  ]);
}

const shownLength = 80;

/** As many as a line has room for; --json has all. */
function objectsText(objects: readonly string[]): string {
  const [first = '', ...others] = objects;
  const shown = [cutTo(first, shownLength)];
  for (const one of others) {
    if (shown.join(', ').length + one.length > shownLength) break;
    shown.push(one);
  }
  const left = objects.length - shown.length;
  return left > 0 ? `${shown.join(', ')} and ${left} more` : shown.join(', ');
}

const cutTo = (text: string, length: number) => (text.length > length ? `${text.slice(0, length)}…` : text);

function withWhat({ apiKeyName, apiKeyID, sessionID }: AuditEntry): string {
  if (apiKeyID !== undefined) return `key ${apiKeyName ?? apiKeyID}`;
  return sessionID === undefined ? '' : 'browser';
}
