import type { IncomingMessage } from 'node:http';
import { isInDomain } from '../../core/lib/authority.ts';
import { parseServiceHost } from '../../core/networks/serviceHosts.ts';

/** The parts of a gateway URL: `/rpc/{network id}/{access key}/{service}[/rest][?query]`, or those of a service's own host. */
export interface Route {
  /** Of the network. */
  id: string;
  accessKey: string;
  service: string;
  /** The remainder after the service, with its leading slash and its query; may be empty. */
  rest: string;
  /** Whether the host name has all of it but the rest; its key is another one than that of paths. */
  isHosted: boolean;
}

type Target = Pick<IncomingMessage, 'url' | 'headers'>;

/** Whether a request is for the gateway: by its path, or by its host name. */
export function isGatewayRequest({ url, headers }: Target, serviceDomain: string): boolean {
  return url?.startsWith('/rpc/') === true || isInDomain(headers.host ?? '', serviceDomain);
}

/** What a request asks for; undefined if it has no gateway URL. Names in the domain of services have no `/rpc/`. */
export function routeOf({ url = '', headers }: Target, serviceDomain: string): Route | undefined {
  const { host = '' } = headers;
  if (!isInDomain(host, serviceDomain)) return parseRoute(url);
  const named = parseServiceHost(host, serviceDomain);
  if (!named || !/^\/[^#]*$/.test(url)) return undefined;
  const { id, service, key: accessKey } = named;
  return { id, accessKey, service, rest: url, isHosted: true };
}

const pattern =
  /^\/rpc\/([A-Za-z0-9-]{1,64})\/([A-Za-z0-9_-]{1,64})\/([a-z0-9-]{1,63})((?:\/[^?#]*)?(?:\?[^#]*)?)$/;

/** Parses the target of a request; undefined if it is not a gateway URL. Nothing is percent-decoded. */
function parseRoute(url: string): Route | undefined {
  const [, id, accessKey, service, rest] = pattern.exec(url) ?? [];
  if (!id || !accessKey || !service || rest === undefined) return undefined;
  return { id, accessKey, service, rest, isHosted: false };
}

/** Whether `rest` names no resource below the service: JSON-RPC has a single address. */
export function isBareRest(rest: string): boolean {
  return rest === '' || rest === '/' || /^\/?\?/.test(rest);
}
