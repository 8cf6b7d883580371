import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { BRIDGE, layout, NETWORK_NAME } from './layout.ts';
import { firstNode, type NodePlace } from './place.ts';

/** OVERLAYFS_SUPER_MAGIC of statfs(2). */
const OVERLAY_FILE_SYSTEM = 0x794c7630;

/** `restrict_oom_score_adj` is set because machines without CAP_SYS_RESOURCE cannot lower a sandbox's OOM score. */
export function containerdConfig(pauseImage: string, cniPlugins: string): string {
  return `version = 2
root = "${layout.containerd}/root"
state = "${layout.containerd}/state"
disabled_plugins = [
  "io.containerd.snapshotter.v1.aufs",
  "io.containerd.snapshotter.v1.btrfs",
  "io.containerd.snapshotter.v1.devmapper",
  "io.containerd.snapshotter.v1.zfs",
  "io.containerd.tracing.processor.v1.otlp",
]

[grpc]
  address = "${layout.containerdSocket}"

[plugins."io.containerd.internal.v1.opt"]
  path = "${layout.containerd}/opt"

[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${pauseImage}"
  restrict_oom_score_adj = true
  netns_mounts_under_state_dir = true

[plugins."io.containerd.grpc.v1.cri".containerd]
  snapshotter = "${snapshotterFor(machineFileSystem())}"

[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
  runtime_type = "io.containerd.runc.v2"

[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
  Root = "${layout.containerd}/runc"

[plugins."io.containerd.grpc.v1.cri".cni]
  bin_dir = "${cniPlugins}"
  conf_dir = "${layout.cni}/conf"
`;
}

/** overlayfs cannot be stacked on overlayfs, the usual root file system of a container; there, layers are copied. */
export function snapshotterFor(fileSystemType: number): string {
  return fileSystemType === OVERLAY_FILE_SYSTEM ? 'native' : 'overlayfs';
}

function machineFileSystem(): number {
  return statfsSync(dirname(layout.root)).type;
}

/** The network of a native node. What the pods of added nodes send to the outside is masqueraded by the first node. */
export function cniConfig(place: NodePlace): string {
  const dataDir = `${layout.cni}/networks`;
  const ipMasq = place === firstNode;
  const { podRange } = place;
  const network = bridgeNetwork({ name: NETWORK_NAME, bridge: BRIDGE, podRange, dataDir, ipMasq });
  return JSON.stringify(network, undefined, 2);
}

interface BridgeNetwork {
  name: string;
  bridge: string;
  podRange: string;
  /** Where the plugin keeps the addresses that it gave out, if not at its own place. */
  dataDir?: string;
  /** Whether the node replaces the addresses of pods by its own towards the outside; yes by default. */
  ipMasq?: boolean;
}

/** The CNI configuration of a bridge network with host-local addresses and host ports. */
export function bridgeNetwork({ name, bridge, podRange, dataDir, ipMasq = true }: BridgeNetwork): object {
  const ipam = {
    type: 'host-local',
    ...(dataDir === undefined ? {} : { dataDir }),
    ranges: [[{ subnet: podRange }]],
    routes: [{ dst: '0.0.0.0/0' }],
  };
  const plugin = { type: 'bridge', bridge, isGateway: true, ipMasq, hairpinMode: true, ipam };
  const portmap = { type: 'portmap', capabilities: { portMappings: true } };
  return { cniVersion: '0.4.0', name, plugins: [plugin, portmap] };
}
