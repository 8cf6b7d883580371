import { layout } from '../setup/layout.ts';
import { firstNode, type NodePlace, workerPlaces } from '../setup/place.ts';
import { bootScript, enterScript, socketOf, stopScript, workerCommand } from './scripts.ts';

const [second, third] = workerPlaces as [NodePlace, NodePlace];

describe('the places of nodes', () => {
  it('have names, addresses and cgroups of their own', () => {
    const places = [firstNode, ...workerPlaces];
    expect(places.map(({ name, address }) => `${name} ${address}`)).toEqual([
      'slipway 10.201.0.1',
      'slipway-2 10.201.0.2',
      'slipway-3 10.201.0.3',
      'slipway-4 10.201.0.4',
    ]);
    expect(new Set(places.map(({ cgroup }) => cgroup)).size).toBe(places.length);
  });

  it('share the range of pods without overlapping', () => {
    expect([firstNode, ...workerPlaces].map(({ podRange }) => podRange)).toEqual([
      '10.244.0.0/18',
      '10.244.64.0/18',
      '10.244.128.0/18',
      '10.244.192.0/18',
    ]);
  });

  it('have cgroups below that of the first node, with which they are removed', () => {
    for (const { cgroup } of workerPlaces) expect(cgroup.startsWith(`${firstNode.cgroup}/`)).toBe(true);
  });
});

describe('the process that is an added node', () => {
  it('ends with each of its parents', () => {
    expect(workerCommand(second).slice(0, 3)).toEqual(['setpriv', '--pdeathsig', 'KILL']);
    expect(enterScript(second)).toContain('--kill-child');
  });

  it('is killed at once when it is stopped', () => {
    expect(stopScript(second)).toContain(`kill -KILL "$(cat '${layout.services}/slipway-2/supervise/pid')"`);
  });

  it('releases the mounts of the first node before it covers its folder', () => {
    const script = bootScript(second);
    const unmounts = script.indexOf('umount --lazy');
    expect(unmounts).toBeGreaterThan(0);
    expect(script.indexOf(`mount --bind '${layout.nodes}/slipway-2' '${layout.root}'`)).toBeGreaterThan(
      unmounts,
    );
  });

  it('closes the network of the first node before its services start', () => {
    expect(bootScript(second)).toMatch(/exec runsvdir .* 9<&-\n$/);
  });

  it('is linked and routed by its own interface, address and range', () => {
    const script = bootScript(third);
    expect(script).toContain('host ip route replace 10.244.128.0/18 via 10.201.0.3 dev slipway-n3');
    expect(script).not.toContain('slipway-n2');
  });
});

describe('the socket of containerd', () => {
  it("is in the node's own folder", () => {
    expect(socketOf(firstNode)).toBe('/var/lib/slipway/containerd/containerd.sock');
    expect(socketOf(second)).toBe('/var/lib/slipway/nodes/slipway-2/containerd/containerd.sock');
  });
});
