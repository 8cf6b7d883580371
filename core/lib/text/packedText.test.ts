import { packText, unpackText } from './packedText.ts';

it('unpacks what was packed', async () => {
  expect(await unpackText(await packText('añ\n'), 100)).toBe('añ\n');
});

it('rejects what has more bytes when it is unpacked', async () => {
  const packed = await packText('a'.repeat(1_000_000));
  await expect(unpackText(packed, 999_999)).rejects.toThrow();
  expect(await unpackText(packed, 1_000_000)).toHaveLength(1_000_000);
});
