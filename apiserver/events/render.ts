import type { EventEnvelope } from '../../core/api/events/envelope.ts';
import type { StreamEventType } from '../../core/api/events/eventTypes.ts';
import type { LoggedEvent } from '../../core/events/log/segment.ts';
import { type Reader, type RenderDeps, renderEvent } from '../../core/events/render.ts';
import { toRfc3339 } from '../../core/lib/clock.ts';

export interface Renderer {
  /** The field `data` of an event, as a line. */
  data(event: LoggedEvent, reader: Reader): string;
  /** Of an event of the stream itself. */
  control(type: StreamEventType, id: string, reader: Reader): string;
}

/** The lines of a stream. */
export function createRenderer(deps: RenderDeps & { nowMs(): number }): Renderer {
  return {
    data: (event, reader) => `data: ${renderEvent(deps, event, reader)}\n`,
    control(type, id, { workspaceId }) {
      const createdAt = toRfc3339(deps.nowMs());
      return `data: ${JSON.stringify({ id, type, createdAt, workspace: workspaceId } satisfies EventEnvelope)}\n`;
    },
  };
}
