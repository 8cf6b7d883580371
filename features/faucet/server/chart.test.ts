import { configOf, helmSkipReason, renderChart } from '../../../hack/chart/render.ts';

const suite = helmSkipReason() ? describe.skip : describe;

suite(`chart values${helmSkipReason() ? ` (skipped: ${helmSkipReason()})` : ''}`, () => {
  it('limit the faucet, and can switch it off', async () => {
    expect(configOf(await renderChart()).faucet).toEqual({ maxAmount: 100, requestsPerHour: 600 });
    const faucet = { maxAmount: 0, requestsPerHour: 5 };
    expect(configOf(await renderChart({ faucet })).faucet).toEqual(faucet);
  });
});
