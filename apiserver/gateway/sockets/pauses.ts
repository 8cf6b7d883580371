import type { WebSocket } from 'ws';

/** Why each socket is not read now. */
const reasons = new WeakMap<WebSocket, Set<unknown>>();

/** Stops reading from a socket, for this reason among others. */
export function pause(socket: WebSocket, reason: unknown): void {
  const known = reasons.get(socket) ?? new Set();
  reasons.set(socket, known.add(reason));
  socket.pause();
}

/** Reads on if no other reason is left. */
export function resume(socket: WebSocket, reason: unknown): void {
  const known = reasons.get(socket);
  if (!known?.delete(reason) || known.size > 0) return;
  if (socket.readyState === socket.OPEN) socket.resume();
}
