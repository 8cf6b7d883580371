/** `host:port` as in a URL; an IPv6 address goes in brackets (RFC 3986, section 3.2.2). */
export function authorityOf({ host, port }: { host: string; port: number }): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
