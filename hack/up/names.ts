/** The release name and namespaces that `make up` uses. */
export const releaseName = 'slipway';
export const releaseNamespace = 'slipway-system';
export const workspaceNamespace = 'slipway-default';

/** The service's own namespace also enforces the restricted Pod Security Standard. */
export const namespaceManifest = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: {
    name: releaseNamespace,
    labels: {
      'pod-security.kubernetes.io/enforce': 'restricted',
      'pod-security.kubernetes.io/warn': 'restricted',
    },
  },
};
