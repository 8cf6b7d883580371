import { posix } from 'node:path';
import type { Engine, EngineName, Engines } from '../../../core/api/engines.ts';
import type { Installation } from '../../../core/api/installation.ts';
import { annotations } from '../../../core/api/names.ts';
import {
  type EnginePart,
  forkUrlVariable,
  type Program,
  persistentVariable,
  podAddressVariable,
  snapshotVariable,
} from '../../../core/chains/driver.ts';
import { completeImage } from '../../../core/chains/imageTag.ts';
import type { Pod } from '../../../core/kube/types.ts';
import { compact } from '../../../core/lib/compact.ts';
import { AppError } from '../../../core/lib/errors.ts';
import { partNamesOf } from '../../../core/networks/snapshotParts.ts';
import {
  dataVolume,
  engineMeta,
  fileKeyOf,
  filesVolume,
  forkSourceName,
  forkUrlKey,
  hasVolume,
  type RenderInput,
  secretsName,
} from './childNames.ts';

/** An unprivileged user and group; distroless images use the same ID. */
const nobody = 65_532;

/** Meets the restricted Pod Security Standard, with a read-only root file system. */
export const containerSecurity = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};

type Container = Pod['spec']['containers'][number];
type Volumes = NonNullable<Pod['spec']['volumes']>;

/** The spec fields that all pods of networks share. */
export function podBasics({ workspaces: { pullSecrets } }: Installation) {
  const imagePullSecrets = pullSecrets.map((name) => ({ name }));
  return { ...fixedBasics, ...(imagePullSecrets.length > 0 ? { imagePullSecrets } : {}) };
}

const fixedBasics = {
  automountServiceAccountToken: false,
  enableServiceLinks: false,
  // An engine saves its state on exit.
  terminationGracePeriodSeconds: 30,
  securityContext: {
    runAsNonRoot: true,
    runAsUser: nobody,
    runAsGroup: nobody,
    fsGroup: nobody,
    seccompProfile: { type: 'RuntimeDefault' },
  },
};

/** The pod of a part. */
export function renderPod(input: RenderInput, part: EnginePart): Pod {
  const { init = [] } = part;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...engineMeta(input, part), annotations: countsOf(input) },
    spec: {
      restartPolicy: 'Always',
      ...podBasics(input.installation),
      ...(init.length === 0
        ? {}
        : {
            initContainers: init.map((step) =>
              renderProgram(input, { part, program: step, name: step.name }),
            ),
          }),
      containers: [renderEngine(input, part)],
      volumes: renderVolumes(input, part),
    },
  };
}

/** What was requested before the pod was created needs no further restart of it. */
export function countsOf({ network: { status } }: Pick<RenderInput, 'network'>): Record<string, string> {
  return {
    [annotations.maintenance]: String(status?.maintenance?.count ?? 0),
    [annotations.revision]: String(status?.incarnation?.revision ?? 0),
  };
}

function renderVolumes(input: RenderInput, part: EnginePart): Volumes {
  const claimName = engineMeta(input, part, '-data').name;
  const disk = diskOf(input, part);
  const data = hasVolume(input, part) ? { persistentVolumeClaim: { claimName } } : disk;
  const secretName = secretsName(input, part.plugin);
  return [
    { name: 'tmp', ...disk },
    { name: filesVolume, configMap: { name: engineMeta(input, part, '-files').name } },
    ...(part.dataPath === undefined ? [] : [{ name: dataVolume, ...data }]),
    ...snapshotVolume(input, part),
    ...(part.workPath === undefined ? [] : [{ name: 'work', emptyDir: { medium: 'Memory' } }]),
    ...(mountsSecrets(part) ? [{ name: 'secrets', secret: { secretName, defaultMode: 0o440 } }] : []),
  ];
}

/** A directory on the node's disk, as large as the engine's storage may be. */
function diskOf({ images }: RenderInput, { engine }: EnginePart) {
  const sizeLimit = engineOf(images, engine).resources?.limits?.['ephemeral-storage'];
  return { emptyDir: compact({ sizeLimit }) };
}

/** The parts are optional: without them a chain that is already on a volume goes on, and another one says what is missing. */
function snapshotVolume({ from }: RenderInput, { snapshotPath }: EnginePart): Volumes {
  if (!from || snapshotPath === undefined) return [];
  const sources = partNamesOf(from).map((name) => ({ configMap: { name, optional: true } }));
  return [{ name: 'snapshot', projected: { sources } }];
}

function mountsSecrets(part: EnginePart): boolean {
  return [part, ...(part.init ?? [])].some(({ secretFiles }) => secretFiles !== undefined);
}

function renderEngine(input: RenderInput, part: EnginePart): Container {
  const port = part.readyPort;
  const check =
    part.readyPath === undefined ? { tcpSocket: { port } } : { httpGet: { port, path: part.readyPath } };
  const { args, argsWithoutCopy = [] } = part;
  const program = input.partsWithoutCopy?.includes(part.name)
    ? { ...part, args: [...args, ...argsWithoutCopy] }
    : part;
  return {
    ...renderProgram(input, { part, program, name: part.name }),
    ports: Object.entries(part.ports).map(([name, containerPort]) => ({
      name,
      containerPort,
      protocol: 'TCP',
    })),
    readinessProbe: { ...check, periodSeconds: 1, timeoutSeconds: 1, failureThreshold: 3 },
    ...livenessOf(part),
  };
}

/** Three minutes without any answer: an engine that is only busy answers now and then. */
function livenessOf({ aliveCommand }: EnginePart): Pick<Container, 'livenessProbe'> {
  if (!aliveCommand) return {};
  const exec = { command: aliveCommand };
  return { livenessProbe: { exec, periodSeconds: 15, timeoutSeconds: 10, failureThreshold: 12 } };
}

interface ProgramInput {
  part: EnginePart;
  program: Program;
  name: string;
}

function renderProgram(input: RenderInput, { part, program, name }: ProgramInput): Container {
  const begun = part.snapshotPath === undefined ? undefined : input.from;
  const mount = (volume: string, path: string | undefined) =>
    path === undefined ? [] : [{ name: volume, mountPath: path }];
  return {
    ...renderContainer(input.images, { ...program, name }),
    env: [
      ...baseEnv,
      ...environmentOf(program),
      ...addressEnv(program),
      ...forkEnv(input, part),
      ...(hasVolume(input, part) ? [{ name: persistentVariable, value: '1' }] : []),
      ...(begun ? [{ name: snapshotVariable, value: begun.snapshot }] : []),
    ],
    volumeMounts: [
      ...mount('tmp', '/tmp'),
      ...filesOf(part),
      ...mount(dataVolume, part.dataPath),
      ...mount('work', part.workPath),
      ...mount('snapshot', begun && part.snapshotPath),
      ...secretsOf(program),
    ],
  };
}

const baseEnv = [{ name: 'HOME', value: '/tmp' }];

/** The container of a program, without volume mounts. */
export function renderContainer(
  images: Engines,
  { name, engine, image, command, args }: Program & { name: string },
): Container {
  const { image: usual, pullPolicy, resources } = engineOf(images, engine);
  return {
    name,
    image: completeImage(image, usual),
    imagePullPolicy: pullPolicy,
    ...compact({ command }),
    args,
    env: baseEnv,
    resources: { requests: resources?.requests ?? {}, limits: resources?.limits ?? {} },
    securityContext: containerSecurity,
    terminationMessagePolicy: 'FallbackToLogsOnError',
  };
}

function environmentOf({ env = {} }: Program) {
  return Object.entries(env).map(([name, value]) => ({ name, value }));
}

function filesOf(part: EnginePart) {
  return Object.keys(part.files).map((path) => ({
    name: filesVolume,
    mountPath: posix.normalize(path),
    subPath: fileKeyOf(path),
    readOnly: true,
  }));
}

function secretsOf({ secretFiles = {} }: Program) {
  return Object.entries(secretFiles).map(([path, secret]) => ({
    name: 'secrets',
    mountPath: path,
    subPath: secret,
    readOnly: true,
  }));
}

function addressEnv({ args, env = {} }: Program) {
  const texts = [...args, ...Object.values(env)];
  if (!texts.some((text) => text.includes(`$(${podAddressVariable})`))) return [];
  return [{ name: podAddressVariable, valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } }];
}

/** Plugins read the chain of the network alone. */
function forkEnv(input: RenderInput, { plugin }: EnginePart) {
  if (input.forkSource === undefined || plugin !== undefined) return [];
  const secretKeyRef = { name: forkSourceName(input, input.forkSource), key: forkUrlKey };
  return [{ name: forkUrlVariable, valueFrom: { secretKeyRef } }];
}

/** Throws Internal if the installation has no such engine: networks that need one wait, or are refused, earlier. */
export function engineOf(images: Engines, name: EngineName): Engine {
  const engine = images[name];
  if (!engine) throw new AppError('Internal', `this installation has no image for ${name}`);
  return engine;
}
