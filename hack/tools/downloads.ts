import type { Download } from './download.ts';

/**
 * Programs that their projects publish, by the version's URL. Checksums are pinned where they are known; skipper's come
 * from the list beside its release, over TLS.
 */
export const downloads = {
  kubectl: {
    url: 'https://dl.k8s.io/release/v1.34.4/bin/{os}/{arch}/kubectl',
    checksums: {
      'linux-amd64': 'd50c359d95e0841eaad08ddc27c7be37cba8fdccfba5c8e2ded65e121ff112db',
      'linux-arm64': '5b982c0644ab1e27780246b9085a5886651b4a7ed86243acbb2bacc1bea01dda',
      'darwin-amd64': '9861e775578651d903a779f840ff8e4c0013ae29a1ffc67f05d967262fcf734c',
      'darwin-arm64': 'd9b239414a5fdf624835bfb62eef28a0885f1645d579f98056a9ab3293f51f87',
    },
  },
  helm: {
    url: 'https://get.helm.sh/helm-v3.22.0-{os}-{arch}.tar.gz',
    checksums: {
      'linux-amd64': '1e4ab49e429626cf6c6958d914248b78c9730803c2751b87627e171dc800e7bb',
      'linux-arm64': 'f14e804dfee240f55525b667488fe9adca349e63e00c9af634c0beb1421ac310',
      'darwin-amd64': 'bd1d09f316558dda23698527859600936fed1371021ce0f2272d66b2fdcfa69c',
      'darwin-arm64': '4c9982a6cdeb458b60258df66b55398ca5b19293f6877faffe2909ad6f23dfe0',
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
  'skipper-release': {
    url: 'https://github.com/zalando/skipper/releases/download/v0.21.240/skipper-v0.21.240-{os}-{arch}.tar.gz',
    checksums: 'https://github.com/zalando/skipper/releases/download/v0.21.240/sha256sum.txt',
    inArchive: 'skipper',
  },
} as const satisfies Record<string, Download>;
