import type { OwnSources } from '../api/installation.ts';
import type { SecretResource } from '../api/resources/secret.ts';
import { messageOf } from '../lib/errors.ts';
import { openSecret } from './openSecret.ts';
import type { Sealer } from './seal.ts';

/** The type of a Secret that spec.chain.*.forking.sourceRef may name. */
const sourceType = 'rpc-url';
/** More than providers use, and less than an HTTP request line holds once it is sealed. */
const maxUrlBytes = 2048;

/** The URL of a workspace's fork source, or why it must not be used: without any part of the URL. */
export type OwnSource = { url: string } | { refusal: string; isMissing?: true };

/** Why no network may name a source of its own; undefined if the installation allows some. */
function refuseOwnSources({ allowedHosts }: OwnSources): string | undefined {
  if (allowedHosts.length > 0) return undefined;
  return 'this installation does not allow own fork sources: omit sourceRef, or list their hosts in forks.ownSources.allowedHosts of the chart values';
}

/** The URL in the Secret of this name, if the installation allows it. */
export function readOwnSource(
  sealer: Pick<Sealer, 'unseal'>,
  { name, secret }: { name: string; secret: SecretResource | undefined },
  ownSources: OwnSources,
): OwnSource {
  const disallowed = refuseOwnSources(ownSources);
  if (disallowed) return { refusal: disallowed };
  if (!secret) {
    const refusal = `secret "${name}" does not exist in this workspace: create it with the type ${sourceType} or reference another one`;
    return { refusal, isMissing: true };
  }
  if (secret.spec.type !== sourceType) {
    return { refusal: `secret "${name}" is of type "${secret.spec.type}": use one of type ${sourceType}` };
  }
  try {
    const url = openSecret(sealer, secret).toString('utf8').trim();
    const refusal = refuseSourceUrl(url, ownSources);
    return refusal ? { refusal: `secret "${name}": ${refusal}` } : { url };
  } catch (error) {
    return { refusal: messageOf(error) };
  }
}

/** Why a fork must not read from this URL; undefined if it may. The message has no part of the URL. */
export function refuseSourceUrl(text: string, ownSources: OwnSources): string | undefined {
  const { allowedHosts, allowPrivateAddresses } = ownSources;
  const schemes = allowPrivateAddresses ? ['https:', 'http:'] : ['https:'];
  const url = Buffer.byteLength(text) <= maxUrlBytes && URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !schemes.includes(url.protocol)) {
    const expected = schemes.map((scheme) => `${scheme}//`).join(' or ');
    return `its data is not an ${expected} URL of at most ${maxUrlBytes} bytes`;
  }
  const isAllowed = allowedHosts.some((entry) => isHostOf(entry.toLowerCase(), url.hostname));
  if (isAllowed) return undefined;
  const list = allowedHosts.join(', ') || 'none';
  return `the host of its URL is not one that this installation allows for forks (forks.ownSources.allowedHosts: ${list})`;
}

/** `.infura.io` is every host in that domain; anything else is one host. */
function isHostOf(entry: string, hostname: string): boolean {
  return entry.startsWith('.')
    ? hostname.endsWith(entry) && hostname.length > entry.length
    : hostname === entry;
}
