/**
 * Everything that a span may say, and the only form in which it may say it. What is not here, or has another form, is left out
 * of the span: no body, parameter, URL, key or message of an error can get into a trace by mistake.
 */
const spanAttributes = {
  /** Of the OpenTelemetry semantic conventions. */
  'http.request.method': /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/,
  /** The template of a path of the API, never the path of a request. */
  'http.route': /^(\/([a-z0-9-]+(\.[a-z]+)?|\{\w+\}))+$/,
  'http.response.status_code': /^[1-5]\d\d$/,
  'error.type': /^[A-Z][A-Za-z]{1,40}$/,
  'rpc.system': /^jsonrpc$/,
  'rpc.method': /^(?=.{2,64}$)[a-z][a-z0-9]{0,15}[A-Za-z]*(_[A-Za-z]+\d{0,2}){0,5}$/,
  'k8s.namespace.name': /^[a-z0-9-]{1,63}$/,
  /** Ours. */
  'slipway.operation': /^[a-z][A-Za-z]{1,60}\d{0,4}[A-Za-z]{0,30}$/,
  'slipway.outcome': /^[A-Za-z]{1,40}$/,
  'slipway.workspace': /^[a-z0-9-]{1,63}$/,
  'slipway.kube.verb': /^(get|list|create|replace|apply|patch|delete)$/,
  'slipway.kube.kind': /^[A-Z][A-Za-z]{1,60}$/,
  'slipway.controller': /^[a-z-]{1,30}$/,
  'slipway.object': /^[a-z0-9-]{1,63}$/,
  'slipway.state': /^[A-Z][A-Za-z]{1,30}$/,
  'slipway.network': /^[a-z0-9-]{1,63}$/,
  'slipway.service': /^[a-z][a-z0-9-]{0,30}$/,
  /** How many calls a request holds, or transactions a submission. */
  'slipway.count': /^\d{1,9}$/,
  /** The step of a deployment. */
  'slipway.step': /^(?=.{1,40}$)[A-Za-z]+\d{0,3}(-[a-z]+\d{0,3})*$/,
} as const satisfies Record<string, RegExp>;

export type SpanAttributeName = keyof typeof spanAttributes;
/** Undefined members are left out. */
export type SpanAttributes = { readonly [Name in SpanAttributeName]?: string | number | undefined };

export const spanAttributeNames = Object.keys(spanAttributes) as SpanAttributeName[];

/** What spans are of. Their names are made of these words and of attributes that are allowed. */
const spanNames = {
  request: ['http.request.method', 'http.route'],
  gateway: [],
  hold: [],
  forward: ['rpc.method'],
  kube: ['slipway.kube.verb', 'slipway.kube.kind'],
  rpc: ['rpc.method'],
  reconcile: ['slipway.controller'],
  submit: [],
  step: ['slipway.step'],
} as const satisfies Record<string, readonly SpanAttributeName[]>;
export type SpanName = keyof typeof spanNames;

/** The attributes that a span may have, of those given. */
export function allowedAttributes(given: SpanAttributes): Record<string, string | number> {
  const allowed: Record<string, string | number> = {};
  for (const name of spanAttributeNames) {
    const value = given[name];
    if (value !== undefined && spanAttributes[name].test(String(value))) allowed[name] = value;
  }
  return allowed;
}

/** Such as `POST /v1alpha/networks`, `kube create Network` or `rpc eth_chainId`. */
export function titleOf(name: SpanName, allowed: Record<string, string | number>): string {
  const parts = spanNames[name].flatMap((part) => allowed[part] ?? []);
  return (name === 'request' && parts.length > 0 ? parts : [name, ...parts]).join(' ');
}
