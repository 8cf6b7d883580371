import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../lib/paths.ts';
import { egressRules, resolveSource } from './egress.ts';

describe('egressRules', () => {
  const rules = egressRules([{ address: '192.0.2.7', port: 8545 }]).split('\n');

  it('allow traffic from pods to pods, Services and the given sources, and reject everything else', () => {
    const forward = rules.filter((rule) => rule.startsWith('-A SLIPWAY-EGRESS'));
    expect(forward).toContain('-A SLIPWAY-EGRESS -d 10.244.0.0/16 -j ACCEPT');
    expect(forward).toContain('-A SLIPWAY-EGRESS -d 10.96.0.0/12 -j RETURN');
    expect(forward).toContain('-A SLIPWAY-EGRESS -d 192.0.2.7 -p tcp --dport 8545 -j ACCEPT');
    expect(forward.at(-1)).toMatch(/-s 10\.244\.0\.0\/16 -j REJECT/);
  });

  it('allow traffic from pods to the machine itself only for DNS, the API and the given sources', () => {
    const input = rules.filter((rule) => rule.startsWith('-A SLIPWAY-NODE') && rule.includes('--dport'));
    expect(input.map((rule) => /-p (\w+) --dport (\d+)/.exec(rule)?.slice(1).join(' '))).toEqual([
      'tcp 6443',
      'tcp 10053',
      'udp 10053',
      'tcp 8545',
    ]);
    expect(rules.filter((rule) => rule.startsWith('-A SLIPWAY-NODE')).at(-1)).toContain('REJECT');
  });
});

describe('rules for traffic to pods', () => {
  const rules = egressRules([]).split('\n');
  const chain = (name: string) => rules.filter((rule) => rule.startsWith(`-A ${name} `));

  it('keep out other machines, and answer what pods have asked for', () => {
    expect(chain('SLIPWAY-PODS')).toEqual([
      '-A SLIPWAY-PODS -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT',
      expect.stringMatching(/ ! -s 10\.244\.0\.0\/16 -j REJECT/),
    ]);
  });

  it('let only root and the ingress of this machine through', () => {
    const local = chain('SLIPWAY-LOCAL');
    const users = local.map((rule) => /--uid-owner (\d+) -j RETURN/.exec(rule)?.[1]).filter(Boolean);
    expect(users).toEqual(['0', '65532']);
    expect(local.at(-1)).toMatch(/^-A SLIPWAY-LOCAL -j REJECT/);
    const ingress = readFileSync(join(projectRoot, 'hack/nativeNode/addons/ingress.yaml'), 'utf8');
    expect(ingress).toContain('runAsUser: 65532');
  });
});

describe('rules for added nodes', () => {
  const rules = egressRules([]).split('\n');

  it('let pods keep their addresses towards pods, except where kube-proxy masquerades', () => {
    const chain = rules.filter((rule) => rule.startsWith('-A SLIPWAY-MASQUERADE'));
    expect(chain.slice(0, 2)).toEqual([
      '-A SLIPWAY-MASQUERADE -m mark --mark 0x4000/0x4000 -j RETURN',
      '-A SLIPWAY-MASQUERADE -d 10.244.0.0/16 -j ACCEPT',
    ]);
  });

  it('masquerade what their pods send elsewhere, and leave the first node to its network plugin', () => {
    const masqueraded = rules.flatMap((rule) => /-s (\S+) -j MASQUERADE/.exec(rule)?.[1] ?? []);
    expect(masqueraded).toEqual(['10.244.64.0/18', '10.244.128.0/18', '10.244.192.0/18']);
  });
});

describe('resolveSource', () => {
  it.each([
    ['an explicit port', 'http://127.0.0.1:8545/key', 8545],
    ['the default port of https', 'https://127.0.0.1/', 443],
    ['the default port of ws', 'ws://127.0.0.1', 80],
  ])('uses %s', async (_reason, url, port) => {
    await expect(resolveSource(url)).resolves.toEqual([{ address: '127.0.0.1', port }]);
  });
});
