/** `host:port` as URLs have it; an IPv6 address is in brackets (RFC 3986, 3.2.2). */
export function authorityOf({ host, port }: { host: string; port: number }): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
