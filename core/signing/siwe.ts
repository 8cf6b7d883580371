import { getAddress, verifyMessage } from 'ethers';

export interface SignInMessage {
  /** Host, and port unless it is the usual one, of the page that asks. */
  domain: string;
  uri: string;
  address: string;
  statement: string;
  chainId: number;
  /** At least eight letters and digits. */
  nonce: string;
  /** RFC 3339. */
  issuedAt: string;
  expirationTime: string;
}

/** The text of https://eips.ethereum.org/EIPS/eip-4361, to the letter. */
export function signInText(message: SignInMessage): string {
  const { domain, uri, address, statement, chainId, nonce, issuedAt, expirationTime } = message;
  return [
    `${domain} wants you to sign in with your Ethereum account:`,
    checksummed(address),
    '',
    statement,
    '',
    `URI: ${uri}`,
    'Version: 1',
    `Chain ID: ${chainId}`,
    `Nonce: ${nonce}`,
    `Issued At: ${issuedAt}`,
    `Expiration Time: ${expirationTime}`,
  ].join('\n');
}

/** An address with the letters of EIP-55, whichever it came with. */
export function checksummed(address: string): string {
  return getAddress(address.toLowerCase());
}

/** Whether the key of an address signed a text with personal_sign (EIP-191). Signatures of contracts are not known. */
export function isSignedBy(address: string, text: string, signature: string): boolean {
  try {
    return verifyMessage(text, signature) === checksummed(address);
  } catch {
    return false;
  }
}
