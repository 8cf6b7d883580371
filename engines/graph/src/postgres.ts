import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

export interface Database {
  host: string;
  port: number;
  user: string;
  name: string;
}

const retryMs = 200;
const answerLimitMs = 5000;
const keepAliveMs = 10_000;

/** Resolves once Postgres asks for a password: before, it does not listen, or says that it is starting up. */
export async function untilPostgresServes(database: Database, signal?: AbortSignal): Promise<void> {
  while (!(await asksForPassword(database))) await wait(retryMs, undefined, signal && { signal });
}

/**
 * Resolves when Postgres goes away, also if it comes back later, perhaps without its data. Postgres closes a connection that
 * never sends a password after a minute; this one is then replaced.
 */
export async function untilPostgresIsGone(database: Database): Promise<void> {
  do await untilClosed(database);
  while (await asksForPassword(database));
}

function untilClosed(database: Database): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const socket = connect(database.port, database.host, () => socket.write(startupMessage(database)));
  // Finds out that the machine of the other side is gone.
  socket.setKeepAlive(true, keepAliveMs);
  socket.on('error', () => undefined).resume();
  socket.once('close', () => resolve());
  return promise;
}

function asksForPassword(database: Database): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(database.port, database.host, () => socket.write(startupMessage(database)));
  socket.setTimeout(answerLimitMs, () => socket.destroy());
  // R: a request for authentication. E: an error.
  socket.once('data', ([type]) => {
    resolve(type === 'R'.charCodeAt(0));
    socket.destroy();
  });
  socket.once('error', () => resolve(false));
  socket.once('close', () => resolve(false));
  return promise;
}

/** The first message of version 3.0 of the protocol. */
function startupMessage({ user, name }: Database): Buffer {
  const parameters = Buffer.from(`user\0${user}\0database\0${name}\0\0`);
  const head = Buffer.alloc(8);
  head.writeInt32BE(head.length + parameters.length, 0);
  head.writeInt32BE(196_608, 4);
  return Buffer.concat([head, parameters]);
}
