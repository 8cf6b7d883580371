export interface KubeconfigFacts {
  server: string;
  /** The PEM text of the certificate authority. */
  authority: Buffer;
  token: string;
}

/** A kubeconfig with one cluster, one user with a bearer token and one context. It is JSON, which is valid YAML. */
export function kubeconfigYaml(facts: KubeconfigFacts): string {
  const name = 'slipway';
  const cluster = { server: facts.server, 'certificate-authority-data': facts.authority.toString('base64') };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    clusters: [{ name, cluster }],
    users: [{ name, user: { token: facts.token } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
  });
}
