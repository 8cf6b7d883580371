import { createTestKube } from '../../../../hack/testenv/testKube.ts';
import { openPlace, type Place } from './objects.ts';
import { startWebhookOperator, type WebhookOperator } from './operator.ts';
import { type Receiver, startReceiver } from './receiver.ts';

/** A workspace, a receiver and an operator for each test, on a real kube-apiserver. */
export function useDeliveries() {
  const kube = createTestKube();
  let place: Place;
  let receiver: Receiver;
  let operator: WebhookOperator;
  beforeEach(async () => {
    place = await openPlace(kube);
    receiver = await startReceiver();
    operator = await startWebhookOperator(kube, { namespace: place.namespace });
  });
  afterEach(async () => {
    await operator.stop();
    await receiver.close();
  });
  afterAll(() => kube.close());
  return {
    kube,
    get place() {
      return place;
    },
    get receiver() {
      return receiver;
    },
    get operator() {
      return operator;
    },
    /** Resolves when the webhook is Active. */
    active: (name: string) => operator.reach(name, ({ status }) => status?.state === 'Active'),
  };
}
