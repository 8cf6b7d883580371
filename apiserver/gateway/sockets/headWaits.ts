import type { Admitted, GatewayCore } from '../core.ts';
import { isNotification } from '../jsonrpc/notification.ts';
import type { Screened } from '../policy/screen.ts';

/** Watches whether the client of a WebSocket connection waits for blocks. */
export interface HeadWaits {
  /** Messages of the client that were forwarded. */
  noteAsked(screened: Pick<Screened, 'blockUses'>): void;
  /** Messages of the node. */
  noteSent(message: Buffer): void;
  end(): void;
}

/** A header is smaller. */
const maxHeaderBytes = 16 * 1024;

/** Of a connection with the public key: holders of the admin key make blocks when they want them. */
export function createHeadWaits(
  { confirmations }: Pick<GatewayCore, 'confirmations'>,
  { networkUid, access }: Pick<Admitted, 'networkUid' | 'access'>,
): HeadWaits {
  const watch = confirmations.watch(networkUid);
  let hasSubscribed = false;
  return {
    noteAsked({ blockUses }) {
      if (blockUses.size === 0) return;
      if (blockUses.has('control')) confirmations.noteControl(networkUid);
      if (access !== 'public') return;
      if (blockUses.has('poll')) void confirmations.beforePoll(networkUid);
      if (blockUses.has('unsubscribe')) watch.end();
      if (!blockUses.has('subscribe')) return;
      hasSubscribed = true;
      watch.isWaiting();
    },
    noteSent(message) {
      if (hasSubscribed && isHead(message)) watch.isWaiting();
    },
    end() {
      // What the node has sent already arrives after the client has gone.
      hasSubscribed = false;
      watch.end();
    },
  };
}

/** Whether a message of the node tells a subscriber of a new block. */
function isHead(message: Buffer): boolean {
  if (message.length > maxHeaderBytes) return false;
  return message.includes('"parentHash"') && isNotification(message);
}
