const KUBERNETES_VERSION = 'v1.34.4';
const KUBERNETES_VERSION_FLAGS = ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version'].flatMap(
  (at) => [`-X ${at}.gitVersion=${KUBERNETES_VERSION}`, `-X ${at}.gitMajor=1`, `-X ${at}.gitMinor=34`],
);

/** A program that is built from Go modules; its module folder lies beside this file. */
export interface Tool {
  /** Folder with go.mod and go.sum, here or in `engines/`. Tools of one folder are built together. */
  family: string;
  /** Must be the version that go.mod requires. */
  version: string;
  goPackage: string;
  linkFlags?: string[];
  /** Has parts in C: needs a C compiler, and the C library where it runs. */
  hasC?: true;
}

function kubernetes(program: string): Tool {
  return {
    family: 'kubernetes',
    version: KUBERNETES_VERSION,
    goPackage: `k8s.io/kubernetes/cmd/${program}`,
    linkFlags: KUBERNETES_VERSION_FLAGS,
  };
}

function prysm(program: string): Tool {
  return {
    family: 'engines/prysm',
    version: 'v7.0.0',
    goPackage: `github.com/OffchainLabs/prysm/v7/cmd/${program}`,
    linkFlags: ['-X github.com/OffchainLabs/prysm/v7/runtime/version.gitTag=v7.0.0'],
    hasC: true,
  };
}

/** Every program that the tooling may build, in the order in which a cold build should make them. */
export const catalogue = {
  etcd: { family: 'etcd', version: 'v3.6.16', goPackage: '.' },
  'kube-apiserver': kubernetes('kube-apiserver'),
  kubectl: kubernetes('kubectl'),
  'kube-controller-manager': kubernetes('kube-controller-manager'),
  'kube-scheduler': kubernetes('kube-scheduler'),
  kubelet: kubernetes('kubelet'),
  'kube-proxy': kubernetes('kube-proxy'),
  kubeadm: kubernetes('kubeadm'),
  'local-path-provisioner': {
    family: 'kubernetes',
    version: 'v0.0.30',
    goPackage: 'github.com/rancher/local-path-provisioner',
    linkFlags: ['-X main.VERSION=v0.0.30'],
  },
  helm: {
    family: 'helm',
    version: 'v3.22.0',
    goPackage: 'helm.sh/helm/v3/cmd/helm',
    linkFlags: [
      '-X helm.sh/helm/v3/internal/version.version=v3.22.0',
      ...['chartutil', 'lint/rules'].flatMap((at) => [
        `-X helm.sh/helm/v3/pkg/${at}.k8sVersionMajor=1`,
        `-X helm.sh/helm/v3/pkg/${at}.k8sVersionMinor=34`,
      ]),
    ],
  },
  coredns: { family: 'coredns', version: 'v1.15.0', goPackage: '.' },
  skipper: {
    family: 'skipper',
    version: 'v0.21.240',
    goPackage: 'github.com/zalando/skipper/cmd/skipper',
    linkFlags: ['-X main.version=v0.21.240'],
  },
  kubeconform: {
    family: 'kubeconform',
    version: 'v0.8.0',
    goPackage: 'github.com/yannh/kubeconform/cmd/kubeconform',
    linkFlags: ['-X main.version=v0.8.0'],
  },
  kwok: {
    family: 'kwok',
    version: 'v0.7.0',
    goPackage: 'sigs.k8s.io/kwok/cmd/kwok',
    linkFlags: ['-X sigs.k8s.io/kwok/pkg/consts.Version=v0.7.0'],
  },
  geth: {
    family: 'engines/geth',
    version: 'v1.16.9',
    goPackage: 'github.com/ethereum/go-ethereum/cmd/geth',
  },
  'beacon-chain': prysm('beacon-chain'),
  validator: prysm('validator'),
  'ethereum-genesis': { family: 'engines/prysm', version: 'v7.0.0', goPackage: './genesis', hasC: true },
} as const satisfies Record<string, Tool>;

export type ToolName = keyof typeof catalogue;

export const toolNames = Object.keys(catalogue) as ToolName[];

/** True for the name of a program in the catalogue. */
export function isToolName(name: string): name is ToolName {
  return Object.hasOwn(catalogue, name);
}
