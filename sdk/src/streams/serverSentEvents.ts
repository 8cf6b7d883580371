/** One event of a stream, and the id to resume after it with. */
export interface Message {
  event: string;
  data: string;
  lastId: string;
}

/** What one part of a stream of Server-Sent Events says. */
export interface ParsedPart {
  messages: Message[];
  /** The last id so far, which may be without an event; '' before the first one. */
  lastId: string;
  /** The wait before a reconnect that the server asked for. */
  retryMs: number | undefined;
}

/**
 * Parses a stream of Server-Sent Events as it arrives, as https://html.spec.whatwg.org/multipage/server-sent-events.html
 * says. The answer to each part has the messages that it completes; an incomplete one at the end is never answered.
 */
export function createParser(): (part: string) => ParsedPart {
  const linesIn = createLines();
  let event = '';
  let data: string[] = [];
  let id = '';
  let lastId = '';
  let retryMs: number | undefined;

  const fields: Record<string, (value: string) => void> = {
    event: (value) => {
      event = value;
    },
    data: (value) => data.push(value),
    id: (value) => {
      if (!value.includes('\0')) id = value;
    },
    retry: (value) => {
      if (/^\d+$/.test(value)) retryMs = Number(value);
    },
  };

  /** A blank line ends a message; one without data only has an id. */
  function dispatch(messages: Message[]): void {
    lastId = id;
    if (data.length > 0) messages.push({ event: event || 'message', data: data.join('\n'), lastId });
    event = '';
    data = [];
  }

  return (part) => {
    const messages: Message[] = [];
    for (const line of linesIn(part)) {
      if (line === '') dispatch(messages);
      const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
      if (Object.hasOwn(fields, name)) fields[name]?.(value);
    }
    return { messages, lastId, retryMs };
  };
}

/** The lines that each part of a text completes. A part without an end of a line is not looked at again. */
function createLines(): (part: string) => string[] {
  let held: string[] = [];
  let isStart = true;
  return (part) => {
    if (part === '') return [];
    const hasCarriageReturn = held.at(-1)?.endsWith('\r') ?? false;
    held.push(isStart ? part.replace(/^\ufeff/, '') : part);
    isStart = false;
    if (!hasCarriageReturn && !/[\r\n]/.test(part)) return [];
    // A CR at the end may be the first half of CRLF.
    const lines = held.join('').split(/\r\n|\n|\r(?!$)/);
    held = [lines.pop() ?? ''];
    return lines;
  };
}
