import { join } from 'node:path';
import { BRIDGE, layout, NODE_ADDRESS, POD_RANGE } from '../setup/layout.ts';
import type { NodePlace } from '../setup/place.ts';
import { linkOf, outside, workerFolder } from './worker.ts';

/** Where programs of the node write although its own folder is elsewhere: an added node has these for itself. */
const ownFolders = ['/run/containerd', '/var/lib/cni', '/var/lib/kubelet', '/var/log/containers'];

/**
 * The command that runs an added node as one process of the first node's supervisor. Whichever of its parents is killed,
 * the kernel kills the next, down to the first process in the node, and with it all of the node.
 */
export function workerCommand(place: NodePlace): string[] {
  return ['setpriv', '--pdeathsig', 'KILL', 'sh', join(workerFolder(place), 'enter.sh')];
}

/** Enters namespaces of the node's own. File descriptor 9 remains the network of the first node. */
export function enterScript(place: NodePlace): string {
  const namespaces = '--mount --net --pid --uts --ipc --fork --kill-child --mount-proc';
  return `#!/bin/sh
exec 9</proc/self/ns/net
exec unshare ${namespaces} sh '${join(workerFolder(place), 'boot.sh')}'
`;
}

/**
 * What the first process in the node's namespaces does before it becomes the supervisor of its services: mounts, the
 * link to the first node, and routes. It forgets what a machine forgets when it starts again: which containers ran.
 */
export function bootScript(place: NodePlace): string {
  return `#!/bin/sh
set -eu
host() { nsenter --net=/proc/self/fd/9 "$@"; }
hostname ${place.name}
mount --make-rshared /
awk '$5 ~ "^${layout.root}/" { print $5 }' /proc/self/mountinfo | sort -r | while read -r path; do
  umount --lazy "$path" || true
done
for folder in ${ownFolders.join(' ')}; do
  mkdir -p "$folder"
  mount -t tmpfs tmpfs "$folder"
done
mount --bind '${workerFolder(place)}' '${layout.root}'
rm -rf ${layout.containerd}/state ${layout.containerd}/runc ${layout.cni}/networks
${networkCommands(place).join('\n')}
cd ${layout.root}
exec runsvdir -P ${layout.services} 9<&-
`;
}

/** Pods reach the node itself not at all: what it offers them is on the first node. */
function networkCommands(place: NodePlace): string[] {
  const { address, podRange } = place;
  const link = linkOf(place);
  return [
    'ip link set lo up',
    `host ip link delete ${link} 2>/dev/null || true`,
    // In these namespaces the network of process 1 is the node's.
    `host ip link add ${link} type veth peer name uplink netns 1`,
    `host ip address add ${NODE_ADDRESS} peer ${address} dev ${link}`,
    `host ip link set ${link} up`,
    `host ip route replace ${podRange} via ${address} dev ${link}`,
    `ip address add ${address} peer ${NODE_ADDRESS} dev uplink`,
    'ip link set uplink up',
    `ip route replace default via ${NODE_ADDRESS} dev uplink`,
    ...['net/ipv4/ip_forward', 'net/bridge/bridge-nf-call-iptables'].map(
      (name) => `[ ! -e /proc/sys/${name} ] || echo 1 > /proc/sys/${name}`,
    ),
    'iptables --wait -I INPUT -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT',
    `iptables --wait -A INPUT -i ${BRIDGE} -s ${POD_RANGE} -j REJECT --reject-with icmp-admin-prohibited`,
  ];
}

/** Ends the node at once, as a loss of power would: runit runs this in the place of a SIGTERM. */
export function stopScript(place: NodePlace): string {
  const pid = join(layout.services, place.name, 'supervise', 'pid');
  return `#!/bin/sh\nkill -KILL "$(cat '${pid}')"\n`;
}

/** The socket of a node's containerd, as seen from outside. */
export function socketOf(place: NodePlace): string {
  return place.number === 1 ? layout.containerdSocket : outside(place, layout.containerdSocket);
}
