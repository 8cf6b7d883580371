import { keptBytes } from './keptBytes.ts';

test('kept bytes are the UTF-8 of the text and keep no other memory', () => {
  const bytes = keptBytes('gwei €');
  expect(bytes.toString()).toBe('gwei €');
  expect(bytes.buffer.byteLength).toBe(8);
});
