/** Whether a Host header, with or without a port, is a name in the domain; an empty domain has none. */
export function isInDomain(host: string, domain: string): boolean {
  return domain !== '' && hostnameOf(host).endsWith(`.${domain}`);
}

/** The name in a Host header, without its port. */
export function hostnameOf(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, '');
}
