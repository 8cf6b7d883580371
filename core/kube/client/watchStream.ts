import { AppError } from '../../lib/errors.ts';
import type { KubeObject, ResourceType, Stored, WatchEvent } from '../kube.ts';
import { type KubeStatus, toAppError } from './apiError.ts';

const maxLineLength = 64 * 1024 * 1024;

/** The complete lines of a text stream, however it is split. Throws Unavailable when the last line is incomplete. */
export async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let parts: string[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
      const line = parts.join('') + chunk.slice(start, end);
      parts = [];
      length = 0;
      start = end + 1;
      if (line.trim() !== '') yield line;
    }
    const rest = chunk.slice(start);
    if (rest !== '') parts.push(rest);
    length += rest.length;
    if (length > maxLineLength)
      throw new AppError('Unavailable', `watch: a line is longer than ${maxLineLength} characters`);
  }
  if (parts.join('').trim() !== '')
    throw new AppError('Unavailable', 'watch: the stream ended in the middle of an event');
}

/**
 * The event on one line of a watch (meta/v1 WatchEvent). Throws Unavailable for an invalid line, because skipping it
 * would lose an event. An ERROR event throws its status: Conflict when the resourceVersion is too old (410).
 */
export function parseWatchLine<T extends KubeObject>(type: ResourceType<T>, line: string): WatchEvent<T> {
  const event = parseEvent(line);
  const { object } = event ?? {};
  if (!event || typeof object !== 'object' || object === null) {
    throw new AppError('Unavailable', 'watch: received a line that is not an event');
  }
  if (event.type === 'ERROR') throw toWatchError(type, object as KubeStatus);
  const found = object as Stored<T>;
  const resourceVersion = found.metadata?.resourceVersion;
  if (resourceVersion === undefined)
    throw new AppError('Unavailable', 'watch: received an event without a resourceVersion');
  if (event.type === 'BOOKMARK') return { type: 'BOOKMARK', resourceVersion };
  if (event.type === 'ADDED' || event.type === 'MODIFIED' || event.type === 'DELETED') {
    return { type: event.type, object: found };
  }
  throw new AppError('Unavailable', 'watch: received an event of an unknown type');
}

function parseEvent(line: string): { type?: unknown; object?: unknown } | undefined {
  try {
    const json: unknown = JSON.parse(line);
    return typeof json === 'object' && json !== null ? json : undefined;
  } catch {
    return undefined;
  }
}

function toWatchError(type: ResourceType, status: KubeStatus): AppError {
  return toAppError({ type, statusCode: status.code ?? 500, status });
}
