import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { writeCertificate } from '../apiserver/testing/certificate.ts';
import { testSealer } from '../apiserver/testing/harness.ts';
import { silentLog } from '../core/lib/log.ts';
import { createManualClock } from '../core/lib/manualClock.ts';
import { createMetrics } from '../core/lib/metrics.ts';
import { createAdmissionListener } from './listener.ts';
import { admissionMetricTable } from './metrics.ts';
import { createTlsServer } from './tlsServer.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-tls-'));
  writeCertificate(folder);
});
afterEach(() => rmSync(folder, { recursive: true }));

async function startServer() {
  const clock = createManualClock();
  const listener = createAdmissionListener({
    sealer: testSealer,
    serviceNamespace: 'slipway-system',
    log: silentLog,
    metrics: createMetrics([admissionMetricTable]),
  });
  const server = await createTlsServer({ folder, listener, clock, log: silentLog });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { clock, server, port: (server.address() as AddressInfo).port };
}

async function serialOf(port: number): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { serialNumber } = socket.getPeerCertificate();
  socket.destroy();
  return serialNumber;
}

async function post(port: number, path: string, body: string): Promise<{ status: number; json: unknown }> {
  const ca = readFileSync(join(folder, 'tls.crt'));
  const call = request({
    port,
    host: '127.0.0.1',
    servername: 'localhost',
    path,
    method: 'POST',
    ca,
    agent: false,
  });
  call.end(body);
  const [response] = await once(call, 'response');
  let text = '';
  for await (const chunk of response) text += chunk;
  return { status: response.statusCode, json: JSON.parse(text) };
}

it('reloads a renewed certificate without a restart, and keeps the old one while the new one is unreadable', async () => {
  const { clock, server, port } = await startServer();
  const first = await serialOf(port);
  rmSync(join(folder, 'tls.key'));
  clock.advance(10_000);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(await serialOf(port)).toBe(first);
  writeCertificate(folder);
  let now = first;
  while (now === first) {
    clock.advance(10_000);
    now = await serialOf(port);
  }
  expect(now).not.toBe(first);
  server.close();
});

it('keeps idle connections longer than kube-apiserver, which does not repeat a review whose connection closed', async () => {
  const { server } = await startServer();
  const idleTimeoutOfKubeApiserverMs = 90_000;
  expect(server.keepAliveTimeout).toBeGreaterThan(idleTimeoutOfKubeApiserverMs);
  server.close();
});

it('answers reviews, and anything else with an Error', async () => {
  const { server, port } = await startServer();
  const object = { metadata: { name: 'a' }, spec: { type: 'x', data: 'YQ==' } };
  const review = {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid: 'u1',
      operation: 'CREATE',
      namespace: 'ws',
      name: 'a',
      object,
      oldObject: null,
      dryRun: true,
    },
  };
  const allowed = await post(port, '/admission/secrets?timeout=5s', JSON.stringify(review));
  expect(allowed.json).toMatchObject({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    response: { uid: 'u1', allowed: true, patchType: 'JSONPatch' },
  });
  const wrong = {
    ...review,
    request: { ...review.request, object: { ...object, spec: { type: 'x', data: '?' } } },
  };
  expect((await post(port, '/admission/secrets', JSON.stringify(wrong))).json).toMatchObject({
    response: {
      uid: 'u1',
      allowed: false,
      status: { code: 400, message: expect.stringMatching(/^spec\.data /) },
    },
  });
  const ofNetwork = { ...review, request: { ...review.request, operation: 'UPDATE' } };
  expect((await post(port, '/admission/networks', JSON.stringify(ofNetwork))).json).toMatchObject({
    response: { uid: 'u1', allowed: true },
  });
  expect((await post(port, '/admission/secrets', '{}')).status).toBe(400);
  expect((await post(port, '/admission/secrets', ' '.repeat(5 * 1024 * 1024))).status).toBe(413);
  expect((await post(port, '/elsewhere', '{}')).status).toBe(404);
  server.close();
});
