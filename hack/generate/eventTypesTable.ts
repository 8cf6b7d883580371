import { eventKinds, eventTypes, streamEventTypes } from '../../core/api/events/eventTypes.ts';
import { presentText, withSection } from './section.ts';

/** The document whose table of types is generated; the rest of it is written by hand. */
export const eventsDocument = 'docs/events.md';

/** docs/events.md with its table generated from the types. Throws Error when it lacks the marks of the table. */
export function eventsDocumentText(): string {
  return withSection(presentText(eventsDocument), 'event types', table());
}

function table(): string {
  const rows = eventTypes.map(({ type, kind, description }) => {
    const { object, permission } = eventKinds[kind];
    return `| \`${type}\` | ${object} | \`${permission}\` | ${description} |`;
  });
  const own = Object.entries(streamEventTypes).map(
    ([type, text]) => `| \`${type}\` | none | none | ${text} |`,
  );
  return ['| type | object | permission | when |', '|---|---|---|---|', ...rows, ...own, ''].join('\n');
}
