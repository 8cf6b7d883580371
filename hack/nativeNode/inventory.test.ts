import { builderMark, isNodeProcess, parseMountInfo } from './inventory.ts';

const process = (argv: string[], exe = argv[0] ?? '', cwd = '/') => ({
  argv,
  exe,
  cwd,
  environ: ['HOME=/root'],
});

describe('isNodeProcess', () => {
  it.each([
    ['a program of the node', process(['kubelet'], '/var/lib/slipway/bin/kubelet'), true],
    ['its containerd', process(['containerd', '--config', '/var/lib/slipway/config/containerd.toml']), true],
    ["the machine's own containerd", process(['/usr/bin/containerd']), false],
    [
      'a shim of its containerd',
      process([
        '/usr/bin/containerd-shim-runc-v2',
        '-address',
        '/var/lib/slipway/containerd/containerd.sock',
      ]),
      true,
    ],
    [
      'a shim of another containerd',
      process(['/usr/bin/containerd-shim-runc-v2', '-address', '/run/containerd/containerd.sock']),
      false,
    ],
    ['its supervisor', process(['runsvdir', '-P', '/var/lib/slipway/services']), true],
    [
      'a service of its supervisor',
      process(['runsv', 'etcd'], '/usr/bin/runsv', '/var/lib/slipway/services/etcd'),
      true,
    ],
    ["the machine's own supervisor", process(['runsv', 'ssh'], '/usr/bin/runsv', '/etc/service/ssh'), false],
    [
      'what enters the namespaces of an added node',
      process(['unshare', '--mount', 'sh', '/var/lib/slipway/nodes/slipway-2/boot.sh'], '/usr/bin/unshare'),
      true,
    ],
    [
      'a compiler that the builder of engines started',
      { ...process(['/usr/lib/go/pkg/tool/compile']), environ: ['HOME=/root', builderMark] },
      true,
    ],
    ['another compiler', process(['/usr/lib/go/pkg/tool/compile']), false],
    ['a shell of the machine', process(['sh', '/root/boot.sh'], '/bin/sh'), false],
    ['a user reading a log', process(['tail', '-f', '/var/lib/slipway/logs/etcd/current']), false],
    ["a shell in the node's folder", process(['bash'], '/bin/bash', '/var/lib/slipway/services/etcd'), false],
  ])('%s', (_reason, facts, expected) => {
    expect(isNodeProcess(facts)).toBe(expected);
  });
});

describe('parseMountInfo', () => {
  it('reads paths and types, including optional fields and escaped spaces', () => {
    const text = [
      '25 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw',
      '40 25 0:30 / /var/lib/a\\040b rw - tmpfs tmpfs rw',
    ].join('\n');
    expect(parseMountInfo(text)).toEqual([
      { path: '/', type: 'ext4' },
      { path: '/var/lib/a b', type: 'tmpfs' },
    ]);
  });
});
