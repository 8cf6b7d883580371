import type { Log } from '../core/lib/log.ts';

/** Whether users reach the service without TLS from another machine, by its public URL. */
export function isPlainHttp(publicUrl: string): boolean {
  if (!URL.canParse(publicUrl)) return false;
  const { protocol, hostname } = new URL(publicUrl);
  const isNear = hostname === 'localhost' || hostname.startsWith('127.') || hostname === '[::1]';
  return protocol === 'http:' && !isNear && !/\.svc(\.cluster\.local)?$/.test(hostname);
}

/** Warns at startup that credentials cross the network in plain text. */
export function warnOfPlainHttp(publicUrl: string, log: Log): void {
  if (!isPlainHttp(publicUrl)) return;
  const remedy =
    'set ingress.tlsSecret, or publicUrl to the https:// address of the proxy that terminates TLS';
  log.warn(`users reach the service without TLS: their API keys and secrets can be read; ${remedy}`, {
    publicUrl,
  });
}
