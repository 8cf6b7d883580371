import type { WebSocket } from 'ws';

/** Close codes of RFC 6455 (7.4) and its registry that the gateway uses itself. */
export const closeCodes = {
  goingAway: 1001,
  policyViolation: 1008,
  internalError: 1011,
  serviceRestart: 1012,
  tryAgainLater: 1013,
} as const;

const maxReasonBytes = 123;

/** Whether a close frame may have the code. 1004 to 1006 and 1015 only describe how a connection ended. */
function isSendable(code: number): boolean {
  return (
    (code >= 3000 && code <= 4999) || (code >= 1000 && code <= 1014 && ![1004, 1005, 1006].includes(code))
  );
}

/** How the other side of a bridge ended. */
interface PeerClose {
  code: number;
  reason: Buffer;
}

/** Closes `socket` like its peer: with the same code and reason, or with `lostCode` if the peer was lost. */
export function carryClose(socket: WebSocket, { code, reason }: PeerClose, lostCode: number): void {
  if (code === 1005) return void socket.close();
  if (!isSendable(code)) return void socket.close(lostCode, 'the peer connection was lost');
  socket.close(code, reason.subarray(0, maxReasonBytes));
}
