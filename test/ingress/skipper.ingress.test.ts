import { serviceDomain } from './testing/backend.ts';
import { applyChart } from './testing/cluster.ts';
import { describeWay, host } from './testing/conformance.ts';
import { startSkipper } from './testing/skipper.ts';

describeWay('an Ingress of skipper', {
  anyHostBecause:
    'skipper knows no wildcard hosts, so the Ingress of an installation with serviceDomain names none',
  async start(backend) {
    const publicUrl = `http://${host}`;
    const ingress = { enabled: true, className: 'skipper' };
    await applyChart('Ingress', { publicUrl, serviceDomain, ingress }, backend);
    return startSkipper();
  },
});
