import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue, type Tool, toolNames } from './catalogue.ts';
import { downloads } from './downloads.ts';
import { inOrder } from './ensure.ts';
import { familyFolder } from './families.ts';
import { goVersionOf } from './go.ts';

const moduleOf: Record<string, string> = {
  etcd: 'go.etcd.io/etcd/server/v3',
  coredns: 'github.com/coredns/coredns',
  skipper: 'github.com/zalando/skipper',
  traefik: 'github.com/traefik/traefik/v3',
  kubeconform: 'github.com/yannh/kubeconform',
  kwok: 'sigs.k8s.io/kwok',
  kind: 'sigs.k8s.io/kind',
  'kubeadm-coredns': 'github.com/coredns/coredns',
  'local-path-provisioner': 'github.com/rancher/local-path-provisioner',
  geth: 'github.com/ethereum/go-ethereum',
  'beacon-chain': 'github.com/OffchainLabs/prysm/v7',
  validator: 'github.com/OffchainLabs/prysm/v7',
  'ethereum-genesis': 'github.com/OffchainLabs/prysm/v7',
  'op-geth': 'github.com/ethereum-optimism/op-geth',
  'op-sequencer': 'github.com/ethereum-optimism/op-geth',
  bsc: 'github.com/bnb-chain/bsc',
  avalanchego: 'github.com/ava-labs/avalanchego',
  thornode: 'gitlab.com/thorchain/thornode/v3',
  chainlink: 'github.com/smartcontractkit/chainlink/v2',
  drand: 'github.com/drand/drand/v2',
  'drand-node': 'github.com/drand/drand/v2',
};
/** Programs of the project without dependencies have neither a module's version nor a go.sum. */
const isPlain = (tool: Tool) => 'isPlain' in tool;
const isBuiltOfModules = (tool: Tool) => ('goPackage' in tool || 'linkedIn' in tool) && !isPlain(tool);
const goTools = toolNames.filter((name) => isBuiltOfModules(catalogue[name]));

describe('catalogue', () => {
  it.each(goTools)('%s has the version that its go.mod requires', (name) => {
    const tool: Tool = catalogue[name];
    const goMod = readFileSync(join(familyFolder(tool.family), 'go.mod'), 'utf8');
    expect(goMod).toContain(`${moduleOf[name] ?? 'k8s.io/kubernetes'} ${tool.version}\n`);
  });

  it.each([...new Set(goTools.map((name) => catalogue[name].family))])('%s has a go.sum', (family) => {
    expect(existsSync(join(familyFolder(family), 'go.sum'))).toBe(true);
  });
});

it.each(toolNames.filter((name) => isPlain(catalogue[name])))('%s needs no module but its own', (name) => {
  const goMod = readFileSync(join(familyFolder(catalogue[name].family), 'go.mod'), 'utf8');
  expect(goMod).not.toContain('require');
});

it('solana-dev has the version of the crate that its Cargo.toml and Cargo.lock pin', () => {
  const { family, version } = catalogue['solana-dev'];
  const read = (file: string) => readFileSync(join(familyFolder(family), file), 'utf8');
  expect(read('Cargo.toml')).toContain(`surfpool-core = "=${version.slice(1)}"`);
  expect(read('Cargo.lock')).toContain(
    `name = "surfpool-core"\nversion = "${version.slice(1)}"\nsource = "registry+`,
  );
});

describe('inOrder', () => {
  it('uses the order of the catalogue, regardless of the requested order', () => {
    expect(inOrder(['helm', 'kubelet', 'kube-apiserver', 'etcd'])).toEqual([
      'etcd',
      'kube-apiserver',
      'kubelet',
      'helm',
    ]);
  });
});

describe('downloads', () => {
  it.each(Object.entries(downloads))('%s has the version that is built otherwise', (name, { url }) => {
    const [found] = toolNames.filter((tool) => tool === name);
    expect(url).toContain(found && catalogue[found].version);
  });

  it.each(Object.entries(downloads))('%s has pinned checksums or those of its release', (_name, download) => {
    const { checksums, url } = download;
    if (typeof checksums === 'string') expect(checksums.startsWith(url.replace(/[^/]*$/, ''))).toBe(true);
    else for (const checksum of Object.values(checksums)) expect(checksum).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('goVersionOf', () => {
  it('reads only the go line', () => {
    expect(goVersionOf('module x\n\ngo 1.26.0\n\ngodebug default=go1.24\n')).toBe('1.26.0');
  });
});
