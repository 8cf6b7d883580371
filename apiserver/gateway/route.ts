/** The parts of a gateway URL: `/rpc/{network uid}/{access key}/{service}[/rest][?query]`. */
export interface Route {
  networkUid: string;
  accessKey: string;
  service: string;
  /** What follows the service, with its leading slash and its query; empty when there is nothing. */
  rest: string;
}

const pattern =
  /^\/rpc\/([A-Za-z0-9-]{1,64})\/([A-Za-z0-9_-]{1,64})\/([a-z0-9-]{1,63})((?:\/[^?#]*)?(?:\?[^#]*)?)$/;

/** Reads the target of a request; undefined when it is none of the gateway's. Nothing is percent-decoded. */
export function parseRoute(url: string): Route | undefined {
  const [, networkUid, accessKey, service, rest] = pattern.exec(url) ?? [];
  if (!networkUid || !accessKey || !service || rest === undefined) return undefined;
  return { networkUid, accessKey, service, rest };
}

/** Whether `rest` names no resource below the service: JSON-RPC has a single address. */
export function isBareRest(rest: string): boolean {
  return rest === '' || rest === '/' || /^\/?\?/.test(rest);
}
