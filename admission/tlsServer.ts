import { readFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import { join } from 'node:path';
import type { Clock } from '../core/lib/clock.ts';
import { messageOf } from '../core/lib/errors.ts';
import type { Log } from '../core/lib/log.ts';

const checkIntervalMs = 10_000;
/**
 * kube-apiserver keeps an idle connection for 90 s. It does not repeat a review whose connection closes, so this server
 * must not be the one that closes an idle connection.
 */
const keepAliveTimeoutMs = 120_000;
/** Longer than the 30 s that kube-apiserver waits at most for an answer. */
const requestTimeoutMs = 60_000;

export interface TlsOptions {
  /** Folder with tls.crt and tls.key. */
  folder: string;
  listener: RequestListener;
  clock: Clock;
  log: Log;
}

/**
 * An HTTPS server, not yet listening, that reloads a renewed certificate without a restart. The files are polled
 * instead of watched: a mounted Secret is renewed by replacing a symlink, which watches do not see everywhere.
 */
export async function createTlsServer({ folder, listener, clock, log }: TlsOptions): Promise<Server> {
  let current = await readCertificate(folder);
  const server = createServer({ ...current, minVersion: 'TLSv1.2' }, listener);
  server.keepAliveTimeout = keepAliveTimeoutMs;
  server.requestTimeout = requestTimeoutMs;
  server.headersTimeout = requestTimeoutMs / 2;

  const check = async (): Promise<void> => {
    try {
      const found = await readCertificate(folder);
      if (!found.cert.equals(current.cert) || !found.key.equals(current.key)) {
        server.setSecureContext({ ...found, minVersion: 'TLSv1.2' });
        current = found;
        log.info('reloaded the certificate of the webhook');
      }
    } catch (error) {
      log.warn('cannot read the certificate of the webhook; keeping the current one', {
        reason: messageOf(error),
      });
    }
    cancel = clock.after(checkIntervalMs, check);
  };
  let cancel = clock.after(checkIntervalMs, check);
  server.once('close', () => cancel());
  return server;
}

async function readCertificate(folder: string): Promise<{ cert: Buffer; key: Buffer }> {
  const [cert, key] = await Promise.all([
    readFile(join(folder, 'tls.crt')),
    readFile(join(folder, 'tls.key')),
  ]);
  return { cert, key };
}
