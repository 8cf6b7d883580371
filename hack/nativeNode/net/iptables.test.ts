import { ownChains, removalScript } from './iptables.ts';

const saved = `*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:KUBE-FORWARD - [0:0]
:SLIPWAY-EGRESS - [0:0]
:DOCKER-USER - [0:0]
-A FORWARD -j DOCKER-USER
-A FORWARD -s 10.244.0.0/16 -j SLIPWAY-EGRESS
-A FORWARD -m comment --comment "kubernetes forwarding rules" -j KUBE-FORWARD
-A KUBE-FORWARD -m mark --mark 0x4000/0x4000 -j ACCEPT
COMMIT
*nat
:POSTROUTING ACCEPT [0:0]
:CNI-1111 - [0:0]
:CNI-2222 - [0:0]
:CNI-HOSTPORT-DNAT - [0:0]
:CNI-DN-9999 - [0:0]
-A POSTROUTING -s 10.244.0.2/32 -m comment --comment "name: \\"slipway\\" id: \\"a\\"" -j CNI-1111
-A POSTROUTING -s 10.88.0.2/32 -m comment --comment "name: \\"podman\\" id: \\"b\\"" -j CNI-2222
-A CNI-HOSTPORT-DNAT -m comment --comment "dnat name: \\"podman\\" id: \\"b\\"" -j CNI-DN-9999
COMMIT
`;

describe('removalScript', () => {
  it("unhooks, flushes and deletes only the node's chains", () => {
    expect(removalScript(saved)).toBe(`*filter
-D FORWARD -s 10.244.0.0/16 -j SLIPWAY-EGRESS
-D FORWARD -m comment --comment "kubernetes forwarding rules" -j KUBE-FORWARD
-F KUBE-FORWARD
-F SLIPWAY-EGRESS
-X KUBE-FORWARD
-X SLIPWAY-EGRESS
COMMIT
*nat
-D POSTROUTING -s 10.244.0.2/32 -m comment --comment "name: \\"slipway\\" id: \\"a\\"" -j CNI-1111
-F CNI-1111
-X CNI-1111
COMMIT
`);
  });

  it('is empty when the node has no chains', () => {
    expect(removalScript('*filter\n:INPUT ACCEPT [0:0]\n-A INPUT -j ACCEPT\nCOMMIT\n')).toBe('');
  });

  it('removes shared chains when no other network uses them', () => {
    const alone = saved.replaceAll('podman', 'slipway');
    expect(ownChains(alone)).toEqual([
      'filter/KUBE-FORWARD',
      'filter/SLIPWAY-EGRESS',
      'nat/CNI-1111',
      'nat/CNI-2222',
      'nat/CNI-HOSTPORT-DNAT',
      'nat/CNI-DN-9999',
    ]);
  });
});
