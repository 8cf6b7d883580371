/**
 * A URL of a network with `mask` in place of its access key: that of `/rpc/{network}/{key}/{service}`, or of
 * `{service}-{network}-{key}.{domain}`, the host of a service of its own.
 */
export function maskedUrl(url: string, mask = '…'): string {
  return url
    .replace(/(\/rpc\/[^/]{1,64}\/)[^/]{1,128}/, `$1${mask}`)
    .replace(/^(https?:\/\/[a-z0-9-]{1,10}-[0-9a-f]{32}-)[a-z2-7]{20}(?=\.)/, `$1${mask}`);
}
