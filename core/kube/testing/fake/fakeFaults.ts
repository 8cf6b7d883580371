import { compact } from '../../../lib/compact.ts';
import type { ObjectRef, ResourceType } from '../../kube.ts';

export type FakeVerb = 'get' | 'list' | 'watch' | 'create' | 'replace' | 'apply' | 'patch' | 'delete';

/** One request to a fake. */
export interface FakeRequest {
  verb: FakeVerb;
  kind: string;
  namespace?: string;
  name?: string;
  subresource?: string;
}

interface Fault {
  verb?: FakeVerb;
  kind?: string;
  name?: string;
  /** How many requests fail; 1 when absent. */
  times?: number;
  /** after: the write takes effect and its answer is lost. */
  when?: 'before' | 'after';
  error: Error;
}

/** Records requests and makes some of them fail. */
export interface FakeFaults {
  requests: FakeRequest[];
  failNext(fault: Fault): void;
  /** Called and awaited before each request; returns a function that removes the hook. */
  intercept(hook: (request: FakeRequest) => void | Promise<void>): () => void;
  run<R>(request: FakeRequest, work: () => R): Promise<R>;
}

export function createFakeFaults(): FakeFaults {
  const requests: FakeRequest[] = [];
  const hooks = new Set<(request: FakeRequest) => void | Promise<void>>();
  let faults: (Fault & { left: number })[] = [];

  function take(request: FakeRequest, when: 'before' | 'after'): void {
    const fault = faults.find(
      (candidate) => (candidate.when ?? 'before') === when && fits(candidate, request),
    );
    if (!fault) return;
    fault.left -= 1;
    faults = faults.filter((candidate) => candidate.left > 0);
    throw fault.error;
  }

  return {
    requests,
    failNext: (fault) => void faults.push({ ...fault, left: fault.times ?? 1 }),
    intercept(hook) {
      hooks.add(hook);
      return () => void hooks.delete(hook);
    },
    async run(request, work) {
      requests.push(request);
      for (const hook of [...hooks]) await hook(request);
      take(request, 'before');
      const result = work();
      take(request, 'after');
      return result;
    },
  };
}

function fits(fault: Fault, request: FakeRequest): boolean {
  return (['verb', 'kind', 'name'] as const).every(
    (key) => fault[key] === undefined || fault[key] === request[key],
  );
}

export function requestOf(verb: FakeVerb, type: ResourceType, ref: Partial<ObjectRef> = {}): FakeRequest {
  const { namespace, name } = ref;
  return { verb, kind: type.kind, ...compact({ namespace, name }) };
}
