import { parse } from 'yaml';
import { runScript } from '../runit.ts';
import { podServices, services } from '../services.ts';
import { encryptionConfig, kubeletConfig, kubeProxyConfig } from './configs.ts';
import { configFile, layout } from './layout.ts';
import { firstNode, type NodePlace, workerPlaces } from './place.ts';
import { cniConfig, containerdConfig, snapshotterFor } from './runtimeConfigs.ts';

describe('configuration files', () => {
  it('encrypt core and Slipway Secrets with the given key', () => {
    const key = Buffer.alloc(32, 7);
    const [rule] = parse(encryptionConfig(key)).resources;
    expect(rule.resources).toEqual(['secrets', 'secrets.slipway.dev']);
    expect(rule.providers[0].secretbox.keys[0].secret).toBe(key.toString('base64'));
    expect(rule.providers.at(-1)).toEqual({ identity: {} });
  });

  it('disable image garbage collection, because images cannot be pulled again', () => {
    expect(parse(kubeletConfig(firstNode, '/etc/resolv.conf'))).toMatchObject({
      imageGCHighThresholdPercent: 100,
      failSwapOn: false,
    });
  });

  it('restart containers that were killed within seconds, however often', () => {
    expect(parse(kubeletConfig(firstNode, '/etc/resolv.conf'))).toMatchObject({
      crashLoopBackOff: { maxContainerRestartPeriod: '3s' },
      featureGates: { KubeletCrashLoopBackOffMax: true },
    });
  });

  it('use the copying snapshotter when overlayfs is not possible', () => {
    expect([snapshotterFor(0x794c7630), snapshotterFor(0xef53)]).toEqual(['native', 'overlayfs']);
  });

  it('leave the conntrack limits unchanged', () => {
    expect(parse(kubeProxyConfig(firstNode)).conntrack).toMatchObject({
      maxPerCore: 0,
      tcpEstablishedTimeout: '0s',
    });
  });

  it("keep all containerd and pod network paths below the node's folder", () => {
    const paths =
      `${containerdConfig('pause', '/usr/lib/cni')}${cniConfig(firstNode)}`.match(/"\/[^"]+"/g) ?? [];
    const outside = paths.filter((path) => !path.startsWith(`"${layout.root}/`));
    expect(outside).toEqual(['"/usr/lib/cni"']);
  });
});

describe('an added node', () => {
  const [added] = workerPlaces as [NodePlace];

  it('takes no pods before it has the images', () => {
    const taints = (place: NodePlace) => parse(kubeletConfig(place, '/etc/resolv.conf')).registerWithTaints;
    expect(taints(added)).toEqual([{ key: 'slipway.dev/loading-images', effect: 'NoSchedule' }]);
    expect(taints(firstNode)).toBeUndefined();
  });

  it('runs the services for pods only, with its own name and address', () => {
    const own = podServices(added);
    expect(own.map(({ name }) => name)).toEqual(['containerd', 'kubelet', 'kube-proxy']);
    expect(own[1]?.command).toEqual(
      expect.arrayContaining(['--hostname-override=slipway-2', '--node-ip=10.201.0.2']),
    );
  });

  it('leaves masquerading to the first node', () => {
    const masquerades = (place: NodePlace) => JSON.parse(cniConfig(place)).plugins[0].ipMasq;
    expect([masquerades(firstNode), masquerades(added)]).toEqual([true, false]);
  });
});

describe('services', () => {
  it("read and write only below the node's folder", () => {
    const paths = services().flatMap(
      ({ command }) => command.join(' ').match(/(?<=[= ])\/(?!\/)[^ ]+/g) ?? [],
    );
    expect(paths.length).toBeGreaterThan(30);
    expect(paths.filter((path) => !path.startsWith(`${layout.root}/`))).toEqual([]);
  });

  it('start kube-apiserver with encryption at rest', () => {
    const apiserver = services().find(({ name }) => name === 'kube-apiserver');
    expect(apiserver?.command).toContain(`--encryption-provider-config=${configFile('encryption.yaml')}`);
  });
});

describe('runScript', () => {
  it('quotes each argument for the shell', () => {
    expect(runScript(['echo', "it's $HOME"])).toContain(`exec 'echo' \\\n  'it'\\''s $HOME'\n`);
  });
});
