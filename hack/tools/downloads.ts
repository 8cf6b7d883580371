import type { Download } from './download.ts';

export const KUBERNETES_VERSION = 'v1.34.4';

/** The programs of Kubernetes that a node runs. */
const kubernetesPrograms = [
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kubelet',
  'kube-proxy',
] as const;
export type KubernetesProgram = (typeof kubernetesPrograms)[number];

/** Published for Linux alone. The checksum is in a file beside it. */
function kubernetes(program: KubernetesProgram): Download {
  const url = `https://dl.k8s.io/release/${KUBERNETES_VERSION}/bin/{os}/{arch}/${program}`;
  return { url, checksums: `${url}.sha256` };
}

/**
 * Programs that their projects publish, by the version's URL. Checksums are pinned where they are known; those of the others
 * come from the file beside the release, over TLS.
 */
export const downloads = {
  'kube-apiserver': kubernetes('kube-apiserver'),
  'kube-controller-manager': kubernetes('kube-controller-manager'),
  'kube-scheduler': kubernetes('kube-scheduler'),
  kubelet: kubernetes('kubelet'),
  'kube-proxy': kubernetes('kube-proxy'),
  etcd: {
    url: 'https://github.com/etcd-io/etcd/releases/download/v3.6.16/etcd-v3.6.16-{os}-{arch}.tar.gz',
    checksums: 'https://github.com/etcd-io/etcd/releases/download/v3.6.16/SHA256SUMS',
    inArchive: 'etcd',
  },
  coredns: {
    url: 'https://github.com/coredns/coredns/releases/download/v1.13.1/coredns_1.13.1_{os}_{arch}.tgz',
    checksums:
      'https://github.com/coredns/coredns/releases/download/v1.13.1/coredns_1.13.1_{os}_{arch}.tgz.sha256',
    inArchive: 'coredns',
  },
  kubectl: {
    url: 'https://dl.k8s.io/release/v1.34.5/bin/{os}/{arch}/kubectl',
    checksums: {
      'linux-amd64': '6a17dd8387783b3144a65535e38d02c351027e9718ea34a6c360476cb26d28bb',
      'linux-arm64': '2d433b53b99ea532f877df6fa5044286e3950d4933967ac3d99262760bc649fd',
      'darwin-amd64': '61ccfd05992fcc1135818d25691e55997155e914c98b704df7ddd542339a93cb',
      'darwin-arm64': '0c0b575db594e0f8842aa44e5d36b224bb9f8bf4b92cd34c0547d29b61a0277f',
    },
  },
  helm: {
    url: 'https://get.helm.sh/helm-v4.1.4-{os}-{arch}.tar.gz',
    checksums: {
      'linux-amd64': '70b2c30a19da4db264dfd68c8a3664e05093a361cefd89572ffb36f8abfa3d09',
      'linux-arm64': '13d03672be289045d2ff00e4e345d61de1c6f21c1257a45955a30e8ae036d8f1',
      'darwin-amd64': 'abf09c8503ad1d8ef76d3737a058c3456a998aae5f5966fce4bb3031aeb1654e',
      'darwin-arm64': '7c2eca678e8001fa863cdf8cbf6ac1b3799f9404a89eb55c08260ef5732e658d',
    },
    inArchive: 'helm',
  },
  kind: {
    url: 'https://github.com/kubernetes-sigs/kind/releases/download/v0.30.0/kind-{os}-{arch}',
    checksums: {
      'linux-amd64': '517ab7fc89ddeed5fa65abf71530d90648d9638ef0c4cde22c2c11f8097b8889',
      'linux-arm64': '7ea2de9d2d190022ed4a8a4e3ac0636c8a455e460b9a13ccf19f15d07f4f00eb',
      'darwin-amd64': '4f0b6e3b88bdc66d922c08469f05ef507d4903dd236e6319199bb9c868eed274',
      'darwin-arm64': 'ceaf40df1d1551c481fb50e3deb5c3deecad5fd599df5469626b70ddf52a1518',
    },
  },
} as const satisfies Record<string, Download>;
