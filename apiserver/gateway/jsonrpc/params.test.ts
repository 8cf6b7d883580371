import { paramsOf } from './params.ts';

const text = '{"method":"eth_call","params":[{"gas":"0x1"}]}';

it('a call that several read one after the other is parsed once, and not kept', async () => {
  const params = paramsOf(text);
  expect(params).toEqual([{ gas: '0x1' }]);
  expect(paramsOf(text)).toBe(params);
  expect(paramsOf('{"params":{}}')).toEqual([]);
  expect(paramsOf(text)).toEqual(params);
  const again = paramsOf(text);
  await Promise.resolve();
  expect(paramsOf(text)).not.toBe(again);
});
