import { describeApply } from './conformance/apply.ts';
import { describeDeletes } from './conformance/deletes.ts';
import { describeLists } from './conformance/lists.ts';
import type { ConformanceSubject, CreateSubject } from './conformance/subject.ts';
import { widgetType } from './conformance/subject.ts';
import { describeWatches } from './conformance/watches.ts';
import { describeWrites } from './conformance/writes.ts';

/** What every Kube must do. The fake and the client both run it, so that the fake behaves like the server. */
export function describeKubeConformance(name: string, createSubject: CreateSubject): void {
  describe(name, () => {
    let subject: ConformanceSubject;
    const get = () => subject;
    beforeAll(async () => {
      subject = await createSubject();
    });
    afterAll(() => subject?.close());

    describe('get', () => {
      it('is undefined when the object does not exist', async () => {
        const { kube, namespace } = subject;
        expect(await kube.get(widgetType, { namespace, name: 'nothing' })).toBeUndefined();
      });
    });
    describeWrites(get);
    describe('apply', () => describeApply(get));
    describe('delete', () => describeDeletes(get));
    describe('list', () => describeLists(get));
    describe('watch', () => describeWatches(get));
    it('knows the time of the cluster', async () => {
      const { creationTimestamp = '' } = (await subject.kube.list(widgetType)).items[0]?.metadata ?? {};
      const nowMs = await subject.kube.serverTimeMs();
      expect(nowMs).toBeGreaterThanOrEqual(Date.parse(creationTimestamp));
      expect(await subject.kube.serverTimeMs()).toBeGreaterThanOrEqual(nowMs - 1_000);
    });
  });
}
