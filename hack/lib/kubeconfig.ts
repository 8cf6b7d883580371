export interface KubeconfigFacts {
  server: string;
  /** The PEM text of the certificate authority. */
  authority: Buffer;
  token: string;
}

/** A kubeconfig whose user has a bearer token. */
export function kubeconfigYaml({ server, authority, token }: KubeconfigFacts): string {
  return kubeconfigOf(server, authority, { token });
}

export interface CertificateFacts {
  server: string;
  /** PEM texts: the certificate authority, and the user's certificate and key. */
  authority: string;
  certificate: string;
  key: string;
}

/** A kubeconfig whose user has a certificate. */
export function certificateKubeconfig({ server, authority, certificate, key }: CertificateFacts): string {
  return kubeconfigOf(server, Buffer.from(authority), {
    'client-certificate-data': Buffer.from(certificate).toString('base64'),
    'client-key-data': Buffer.from(key).toString('base64'),
  });
}

/** With one cluster, one user and one context. It is JSON, which is valid YAML. */
function kubeconfigOf(server: string, authority: Buffer, user: object): string {
  const name = 'slipway';
  const cluster = { server, 'certificate-authority-data': authority.toString('base64') };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    clusters: [{ name, cluster }],
    users: [{ name, user }],
    contexts: [{ name, context: { cluster: name, user: name } }],
  });
}
