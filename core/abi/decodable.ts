import { AbiCoder } from 'ethers';

const maxBytes = 64 * 1024;

/*
 * ethers copies all of the data for each word that it reads. By default it reads a word again for each of 1,024 offsets that name it; data of
 * an encoder names each once.
 */
AbiCoder._setDefaultMaxInflation(2);

/** Whether data that somebody else made is decoded: work on longer data would keep a process, or a tab, busy for seconds. */
export const isDecodable = (data: string): boolean => data.length <= 2 + 2 * maxBytes;

/** Throws Error, in words for the user, if the data is too long. */
export function checkDecodable(data: string): void {
  if (!isDecodable(data)) throw new Error(`it has more than ${maxBytes / 1024} KiB, which are not decoded`);
}
