import type { AvailableEngine, ChartEngine } from '../api/engines.ts';
import { availableEngineSchema, chartEngineSchema } from '../api/engines.ts';
import { mergeEngines } from './engineSet.ts';

const chartEngine = (others: object = {}): ChartEngine => chartEngineSchema.parse(others);
const available = (image: string): AvailableEngine =>
  availableEngineSchema.parse({ state: 'Available', image });
const buildable: AvailableEngine = { state: 'Buildable', takes: 'about 2 minutes' };
const resources = { limits: { memory: '1Gi' } };

describe('the engines of an installation', () => {
  it.each([
    ['is the one that the chart names', { image: 'mirror/geth:1' }, available('built:1'), 'mirror/geth:1'],
    ['is what is available where the chart names none', {}, available('built:1'), 'built:1'],
    ['is missing where nobody has one', {}, undefined, undefined],
    ['is missing while it can only be built', {}, buildable, undefined],
  ])('the image of an engine %s', (_reason, chart, found, image) => {
    const facts = { chart: { geth: chartEngine(chart) }, available: found ? { geth: found } : {} };
    expect(mergeEngines({ ...facts, hasBuilder: true }).images.geth?.image).toBe(image);
  });

  it('resources and allowed images come from the chart, also for an image that is not its own', () => {
    const geth = chartEngine({ resources, allowedImages: ['a/*'], pullPolicy: 'Always' });
    const set = mergeEngines({
      chart: { geth },
      available: { geth: available('built:1') },
      hasBuilder: false,
    });
    expect(set.images.geth).toEqual({
      image: 'built:1',
      pullPolicy: 'IfNotPresent',
      resources,
      allowedImages: ['a/*'],
    });
  });

  it('an engine that the chart does not know is not there', () => {
    const facts = { available: { geth: available('built:1'), prysm: buildable }, hasBuilder: true };
    expect(mergeEngines({ chart: {}, ...facts })).toEqual({ images: {}, offers: {}, allowed: {} });
  });

  it('what can be built is offered while a builder lives', () => {
    const facts = { chart: { geth: chartEngine() }, available: { geth: buildable } };
    expect(mergeEngines({ ...facts, hasBuilder: true }).offers).toEqual({ geth: buildable });
    expect(mergeEngines({ ...facts, hasBuilder: false }).offers).toEqual({});
  });

  it('what has an image is not offered', () => {
    const chart = { geth: chartEngine({ image: 'geth:1' }) };
    expect(mergeEngines({ chart, available: { geth: buildable }, hasBuilder: true }).offers).toEqual({});
  });

  it('quantities may be numbers, as YAML reads them', () => {
    const parsed = chartEngineSchema.parse({ resources: { requests: { cpu: 1, memory: '1Gi' } } });
    expect(parsed.resources).toEqual({ requests: { cpu: '1', memory: '1Gi' } });
  });
});
