/** An answer up to this long costs what any request costs; a longer one costs a request more for each time that it is as long. */
const bytesPerRequest = 256 * 1024;

/** Counts what a request costs beyond one request. Refuses nothing: the next request waits until it is paid. */
export type Charge = (requests: number) => void;

/** Charges an answer of so many bytes. */
export function chargeAnswer(charge: Charge, bytes: number): void {
  const requests = Math.floor(bytes / bytesPerRequest);
  if (requests > 0) charge(requests);
}

/** The same parts, charged while they are taken. */
export async function* charged(parts: AsyncIterable<string>, charge: Charge): AsyncGenerator<string> {
  let bytes = 0;
  for await (const part of parts) {
    bytes += Buffer.byteLength(part);
    chargeAnswer(charge, bytes);
    bytes %= bytesPerRequest;
    yield part;
  }
}
