import { isIP } from 'node:net';
import { withoutEnding } from '../../../../core/lib/text/withoutEnding.ts';

/** The installation as browsers know it. */
export interface RelyingParty {
  /** Where the console is, without a trailing slash. */
  consoleUrl: string;
  /** Its scheme, host and port. */
  origin: string;
  /** The domain that passkeys are for (https://www.w3.org/TR/webauthn-3/#rp-id); undefined where there can be none. */
  id: string | undefined;
}

/**
 * Passkeys need a domain, and TLS unless it is localhost. A loopback address is not a domain, but the same service is at
 * localhost: its console is better opened there.
 */
export function createRelyingParty(publicUrl: string): RelyingParty {
  const url = new URL(publicUrl);
  if (url.hostname === '[::1]' || url.hostname.startsWith('127.')) url.hostname = 'localhost';
  const { protocol, hostname, origin } = url;
  const isSafe = protocol === 'https:' || hostname === 'localhost';
  const isDomain = !hostname.startsWith('[') && isIP(hostname) === 0;
  return {
    consoleUrl: withoutEnding(url.href, '/'),
    origin,
    id: isSafe && isDomain ? hostname : undefined,
  };
}
