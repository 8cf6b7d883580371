/** `host:port` as in a URL; an IPv6 address goes in brackets (RFC 3986, section 3.2.2). */
export function authorityOf({ host, port }: { host: string; port: number }): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Whether a Host header, with or without a port, is a name in the domain; an empty domain has none. */
export function isInDomain(host: string, domain: string): boolean {
  return domain !== '' && hostnameOf(host).endsWith(`.${domain}`);
}

/** The name in a Host header, without its port. */
export function hostnameOf(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, '');
}
