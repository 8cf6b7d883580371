import { AppError } from '../../lib/errors.ts';
import type { Kube, KubeObject, ResourceType } from '../kube.ts';

/** When a process crashes: before its write number `at` (from 1) is sent, or after it was answered. */
export interface Death {
  at: number;
  when: 'before' | 'after';
}

/** A Kube for a process that crashes: the operator or an API server. */
export interface MortalKube {
  kube: Kube;
  /** Starts counting writes. */
  arm(): void;
  isDead(): boolean;
  /** Resolves when it crashes. */
  died: Promise<void>;
  /** The writes since `arm`, in order, such as `patch Network status`. */
  writes: string[];
}

/**
 * After the crash, no request reaches the cluster, as with a killed process. Events only report what was done and are
 * not counted.
 */
export function createMortalKube(kube: Kube, death: Death | undefined): MortalKube {
  let isArmed = false;
  let isDead = false;
  const died = Promise.withResolvers<void>();
  const writes: string[] = [];

  function live(): void {
    if (isDead) throw new AppError('Unavailable', 'this process has crashed');
  }

  function die(): void {
    isDead = true;
    died.resolve();
  }

  async function read<T>(ask: () => Promise<T>): Promise<T> {
    live();
    return ask();
  }

  async function write<T>(verb: string, type: ResourceType, send: () => Promise<T>): Promise<T> {
    live();
    if (!isArmed || type.kind === 'Event') return send();
    const isLast = writes.push(`${verb} ${type.kind}`) === death?.at;
    if (isLast && death?.when === 'before') die();
    live();
    try {
      return await send();
    } finally {
      if (isLast) die();
      live();
    }
  }

  return {
    kube: kubeThrough(kube, { read, write: ({ verb, type }, send) => write(verb, type, send) }),
    arm() {
      isArmed = true;
    },
    isDead: () => isDead,
    died: died.promise,
    writes,
  };
}

/** A write request to a Kube: an object, or a patch of the object with that name. */
export interface Write {
  verb: string;
  type: ResourceType;
  name: string;
  body?: object;
}

/** Intercepts all requests to a Kube except watches. */
export interface Passage {
  read<T>(ask: () => Promise<T>): Promise<T>;
  write<T>(write: Write, send: () => Promise<T>): Promise<T>;
}

export function kubeThrough(kube: Kube, { read, write }: Passage): Kube {
  const whole = (verb: string, type: ResourceType, body: KubeObject): Write => ({
    verb,
    type,
    body,
    name: body.metadata.name,
  });
  return {
    ...kube,
    get: (type, ref) => read(() => kube.get(type, ref)),
    list: (type, options) => read(() => kube.list(type, options)),
    create: (type, object) => write(whole('create', type, object), () => kube.create(type, object)),
    replace: (type, object, sub) =>
      write(whole('replace', type, object), () => kube.replace(type, object, sub)),
    apply: (type, object, options) =>
      write(whole('apply', type, object), () => kube.apply(type, object, options)),
    patch: (...request) => {
      const [type, { name }, body] = request;
      return write({ verb: 'patch', type, name, body }, () => kube.patch(...request));
    },
    delete: (type, ref, options) =>
      write({ verb: 'delete', type, name: ref.name }, () => kube.delete(type, ref, options)),
  };
}
