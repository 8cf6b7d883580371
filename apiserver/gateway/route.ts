/** The parts of a gateway URL: `/rpc/{network uid}/{access key}/{service}[/rest][?query]`. */
export interface Route {
  networkUid: string;
  accessKey: string;
  service: string;
  /** The remainder after the service, with its leading slash and its query; may be empty. */
  rest: string;
}

const pattern =
  /^\/rpc\/([A-Za-z0-9-]{1,64})\/([A-Za-z0-9_-]{1,64})\/([a-z0-9-]{1,63})((?:\/[^?#]*)?(?:\?[^#]*)?)$/;

/** Parses the target of a request; undefined if it is not a gateway URL. Nothing is percent-decoded. */
export function parseRoute(url: string): Route | undefined {
  const [, networkUid, accessKey, service, rest] = pattern.exec(url) ?? [];
  if (!networkUid || !accessKey || !service || rest === undefined) return undefined;
  return { networkUid, accessKey, service, rest };
}

/** Whether `rest` names no resource below the service: JSON-RPC has a single address. */
export function isBareRest(rest: string): boolean {
  return rest === '' || rest === '/' || /^\/?\?/.test(rest);
}
