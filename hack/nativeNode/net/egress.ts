import { lookup } from 'node:dns/promises';
import { run } from '../../lib/run.ts';
import { API_PORT, DNS_PORT, NODE_ADDRESS, POD_RANGE, SERVICE_RANGE } from '../setup/layout.ts';
import { LINK_PREFIX, workerPlaces } from '../setup/place.ts';

/** A destination outside the cluster that pods may reach. */
export interface Destination {
  address: string;
  port: number;
}

const FORWARD_CHAIN = 'SLIPWAY-EGRESS';
const INPUT_CHAIN = 'SLIPWAY-NODE';
const POD_CHAIN = 'SLIPWAY-PODS';
const LOCAL_CHAIN = 'SLIPWAY-LOCAL';
const MASQUERADE_CHAIN = 'SLIPWAY-MASQUERADE';
/** kube-proxy marks what it masquerades itself. */
const marked = '-m mark --mark 0x4000/0x4000';
/** The user of the ingress controller, which runs in the machine's network. */
const INGRESS_USER = 65532;
const established = '-m conntrack --ctstate RELATED,ESTABLISHED';
const reject = '-j REJECT --reject-with icmp-admin-prohibited';

/**
 * The native node has no NetworkPolicy implementation, so these rules limit pods to pods, Services, the cluster's DNS
 * and API, and the given destinations. kube-proxy's own rules handle Services and reject those without pods.
 * Engines answer without an access key to whoever reaches their pods, so other machines reach none, and of this machine
 * only root (the kubelet and kube-apiserver) and the ingress do. Services are pods by the time of these rules.
 * Added nodes reach everything through the first one, so its rules hold for their pods too. Pods keep their addresses
 * towards the pods of other nodes.
 * Returns input for `iptables-restore --noflush`.
 */
export function egressRules(destinations: Destination[]): string {
  return [
    '*filter',
    `:${FORWARD_CHAIN} - [0:0]`,
    `:${INPUT_CHAIN} - [0:0]`,
    `-A ${FORWARD_CHAIN} ${established} -j ACCEPT`,
    `-A ${FORWARD_CHAIN} -d ${POD_RANGE} -j ACCEPT`,
    `-A ${FORWARD_CHAIN} -d ${SERVICE_RANGE} -j RETURN`,
    ...destinations.map(allowIn(FORWARD_CHAIN)),
    `-A ${FORWARD_CHAIN} -s ${POD_RANGE} ${reject}`,
    `-A ${INPUT_CHAIN} ${established} -j ACCEPT`,
    `-A ${INPUT_CHAIN} -d ${NODE_ADDRESS} -p tcp --dport ${API_PORT} -j ACCEPT`,
    `-A ${INPUT_CHAIN} -d ${NODE_ADDRESS} -p tcp --dport ${DNS_PORT} -j ACCEPT`,
    `-A ${INPUT_CHAIN} -d ${NODE_ADDRESS} -p udp --dport ${DNS_PORT} -j ACCEPT`,
    ...destinations.map(allowIn(INPUT_CHAIN)),
    `-A ${INPUT_CHAIN} ${reject}`,
    `:${POD_CHAIN} - [0:0]`,
    `-A ${POD_CHAIN} ${established} -j ACCEPT`,
    `-A ${POD_CHAIN} ! -s ${POD_RANGE} ${reject}`,
    `:${LOCAL_CHAIN} - [0:0]`,
    `-A ${LOCAL_CHAIN} ${established} -j ACCEPT`,
    ...[0, INGRESS_USER].map((user) => `-A ${LOCAL_CHAIN} -m owner --uid-owner ${user} -j RETURN`),
    `-A ${LOCAL_CHAIN} ${reject}`,
    'COMMIT',
    '*nat',
    `:${MASQUERADE_CHAIN} - [0:0]`,
    `-A ${MASQUERADE_CHAIN} ${marked} -j RETURN`,
    `-A ${MASQUERADE_CHAIN} -d ${POD_RANGE} -j ACCEPT`,
    ...workerPlaces.map(({ podRange }) => `-A ${MASQUERADE_CHAIN} -s ${podRange} -j MASQUERADE`),
    'COMMIT',
    '',
  ].join('\n');
}

/** A destination may be this machine itself, so both chains must accept it. */
function allowIn(chain: string): (destination: Destination) => string {
  return ({ address, port }) => `-A ${chain} -d ${address} -p tcp --dport ${port} -j ACCEPT`;
}

/** Installs the rules at the top of their chains and replaces those of an earlier call. */
export async function applyEgressRules(sources: string[]): Promise<void> {
  const destinations = (await Promise.all(sources.map(resolveSource))).flat();
  await run('iptables-restore', ['--noflush', '--wait'], { input: egressRules(destinations) });
  await hookFirst('FORWARD', ['-s', POD_RANGE, '-j', FORWARD_CHAIN]);
  await hookFirst('FORWARD', ['-d', POD_RANGE, ...established.split(' '), '-j', FORWARD_CHAIN]);
  await hookFirst('FORWARD', ['-d', POD_RANGE, '-j', POD_CHAIN]);
  await hookFirst('INPUT', ['-s', POD_RANGE, '-j', INPUT_CHAIN]);
  await hookFirst('INPUT', ['-i', `${LINK_PREFIX}+`, '-j', INPUT_CHAIN]);
  await hookFirst('OUTPUT', ['-d', POD_RANGE, '-j', LOCAL_CHAIN]);
  await hookFirst('POSTROUTING', ['-s', POD_RANGE, '-j', MASQUERADE_CHAIN], 'nat');
}

/** The addresses and the port of a URL. Throws when the host name cannot be resolved. */
export async function resolveSource(url: string): Promise<Destination[]> {
  const { hostname, port, protocol } = new URL(url);
  const isSecure = protocol === 'https:' || protocol === 'wss:';
  const found = await lookup(hostname, { all: true, family: 4 });
  return found.map(({ address }) => ({ address, port: Number(port) || (isSecure ? 443 : 80) }));
}

async function hookFirst(chain: string, rule: string[], table = 'filter'): Promise<void> {
  const iptables = `iptables --wait --table ${table}`;
  const remove = `while ${iptables} -D ${chain} ${rule.join(' ')} 2>/dev/null; do :; done`;
  await run('sh', ['-c', `${remove}; ${iptables} -I ${chain} 1 ${rule.join(' ')}`]);
}
