import { maskedUrl } from './maskedUrl.ts';

test.each([
  ['https://host/rpc/id/key/rpc', 'https://host/rpc/id/…/rpc'],
  [
    `http://dfns-${'a1'.repeat(16)}-${'a2'.repeat(10)}.services.example/v1`,
    `http://dfns-${'a1'.repeat(16)}-….services.example/v1`,
  ],
  ['https://host/elsewhere', 'https://host/elsewhere'],
])('the access key of %s is masked', (url, shown) => {
  expect(maskedUrl(url)).toBe(shown);
});
