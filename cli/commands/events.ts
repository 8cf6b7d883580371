import { createHmac, randomBytes } from 'node:crypto';
import { discard } from '../../sdk/src/answer.ts';
import type { StreamedEvent } from '../../sdk/src/streams/events.ts';
import { unknownValue } from '../../sdk/src/unknownValue.ts';
import { printable } from '../io/terminal.ts';
import type { Context } from '../lib/context.ts';
import { fail } from '../lib/failure.ts';
import { listQuery } from '../lib/resolve.ts';
import type { Call, CommandSpec } from '../lib/spec.ts';
import { textAt } from '../lib/values.ts';

export const eventsCommand: CommandSpec = {
  usage: 'events',
  summary: 'Follow what happens in the workspace.',
  children: [
    {
      usage: 'listen',
      summary: 'Print each event from now on, until you interrupt it.',
      details: `A broken stream resumes after the last event, so nothing is missed or printed twice. With --forward-to, each event is also
sent to a URL by POST, in order, and signed like a webhook with a secret that is printed first: use it to develop a receiver
on your machine.`,
      options: [
        {
          flags: '--type <type>',
          text: 'Only this type, such as network.* or token.deployed; may be repeated.',
          isMany: true,
        },
        { flags: '--existing', text: 'Begin with the objects that exist.' },
        { flags: '--selector <text>', text: "Filter, such as 'metadata.name == my-net'." },
        {
          flags: '-l, --label <key=value>',
          text: 'Only objects with this label; may be repeated.',
          isMany: true,
        },
        {
          flags: '--after <id>',
          text: 'Resume after this event: lastEventId of an event printed with --ndjson.',
        },
        { flags: '--forward-to <url>', text: 'Also send each event to this URL.' },
      ],
      examples: [
        "slipway events listen --type 'network.*'",
        'slipway events listen --ndjson | jq -r .type',
        'slipway events listen --forward-to http://localhost:3000/hooks',
      ],
      run: listen,
    },
  ],
};

async function listen(context: Context, { options }: Call): Promise<void> {
  const { io, ui } = context;
  const forward = forwarderOf(context, options.text('forwardTo'));
  const types = options.list('type');
  const stream = (await context.client()).events.stream({
    ...(types.length > 0 ? { types: types.map(unknownValue) } : {}),
    selector: listQuery(options).selector,
    lastEventId: options.text('after'),
    signal: io.signal,
    onReconnect: (error) => ui.note(`Reconnecting${error ? `: ${error.message}` : ''}.`),
  });
  const isWanted = fromNowOn(options.isSet('existing') || options.text('after') !== undefined);
  try {
    for await (const event of stream) {
      if (!isWanted(event)) continue;
      ui.item(event, lineOf(event));
      await forward(event);
    }
  } catch (error) {
    // Who interrupts it has seen enough.
    throw io.signal.aborted ? fail('interrupted', '') : error;
  }
}

/** Whether an event is new: a stream begins with what exists, and so does one that lost changes. */
function fromNowOn(hasExisting: boolean): (event: StreamedEvent) => boolean {
  let isLive = hasExisting;
  return ({ type }) => {
    if (hasExisting) return true;
    if (type === 'stream.reset') isLive = false;
    if (type !== 'stream.ready') return isLive;
    isLive = true;
    return false;
  };
}

function lineOf(event: StreamedEvent): string {
  const { createdAt, type, object } = event;
  const name = textAt(object, 'name') || textAt(object, 'hash') || textAt(object, 'id');
  const message = textAt(object, 'status.message') || textAt(object, 'message');
  return printable([createdAt, type, name, message].filter(Boolean).join('  '));
}

const timeoutMs = 10_000;

/** Sends an event on. A receiver that fails is reported; the next event is sent all the same. */
function forwarderOf(
  { io, ui }: Context,
  target: string | undefined,
): (event: StreamedEvent) => Promise<void> {
  if (target === undefined) return async () => {};
  if (!URL.canParse(target) || !/^https?:$/.test(new URL(target).protocol)) {
    throw fail(
      'usage',
      `--forward-to ${target} is not an http or https URL.`,
      'Example: http://localhost:3000/hooks',
    );
  }
  const key = randomBytes(32);
  ui.note(`Signing secret: whsec_${key.toString('base64')}`);
  return async ({ lastEventId: _lastEventId, ...event }) => {
    const body = JSON.stringify(event);
    const timestamp = String(Math.floor(io.clock.nowMs() / 1_000));
    const signature = createHmac('sha256', key).update(`${event.id}.${timestamp}.${body}`).digest('base64');
    const outcome = await io
      .fetch(target, {
        method: 'POST',
        redirect: 'manual',
        headers: {
          'Content-Type': 'application/json',
          'webhook-id': event.id,
          'webhook-timestamp': timestamp,
          'webhook-signature': `v1,${signature}`,
        },
        body,
        signal: AbortSignal.any([io.signal, AbortSignal.timeout(timeoutMs)]),
      })
      .then((answer) => {
        discard(answer);
        return String(answer.status);
      })
      .catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
    ui.note(`  ${event.type} -> ${target}: ${outcome}`);
  };
}
