/** An answer up to this long costs what any request costs; a longer one costs a request more for each time that it is as long. */
const bytesPerRequest = 256 * 1024;
/** To check so many values of a body takes as long as a small request does. */
const valuesPerRequest = 1_000;
/** The same to read so many bytes of it. */
const bodyBytesPerRequest = 1024 * 1024;
/** To unpack so many small records and to compare them takes as long. */
const recordsPerRequest = 500;

/** Counts what a request costs beyond one request. Refuses nothing: the next request waits until it is paid. */
export type Charge = (requests: number) => void;

/** Charges an answer of so many bytes. */
export function chargeAnswer(charge: Charge, bytes: number): void {
  chargeWhole(charge, bytes / bytesPerRequest);
}

/** Charges a body with so many values and bytes. */
export function chargeBody(charge: Charge, { count, bytes }: { count: number; bytes: number }): void {
  chargeWhole(charge, count / valuesPerRequest + bytes / bodyBytesPerRequest);
}

/** Charges so many records that were unpacked and compared with what a list asks for. */
export function chargeRecords(charge: Charge, records: number): void {
  chargeWhole(charge, records / recordsPerRequest);
}

function chargeWhole(charge: Charge, requests: number): void {
  const whole = Math.floor(requests);
  if (whole > 0) charge(whole);
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
