import { parseEther } from 'ethers';

/** What the hot key of privateKeyRef holds from the first block on, in wei. */
export const hotBalance = parseEther('1000000');
/** What each account of mnemonicRef holds from the first block on, in wei. */
export const mnemonicBalance = parseEther('10000');
const defaultGasLimit = 30_000_000;

export interface GenesisInput {
  chainId: string;
  gasLimit?: number | undefined;
  hotAddress?: string | undefined;
  mnemonicAddresses: readonly string[];
}

/** A genesis file in geth's format (go-ethereum, core/genesis.go): chain id, gas limit, funded accounts. */
export function renderGenesis(input: GenesisInput): string {
  const alloc: Record<string, { balance: string }> = {};
  for (const address of input.mnemonicAddresses) alloc[address] = { balance: toHex(mnemonicBalance) };
  if (input.hotAddress) alloc[input.hotAddress] = { balance: toHex(hotBalance) };
  const genesis = {
    config: { chainId: Number(input.chainId) },
    gasLimit: toHex(BigInt(input.gasLimit ?? defaultGasLimit)),
    difficulty: '0x0',
    alloc,
  };
  return `${JSON.stringify(genesis, null, 2)}\n`;
}

function toHex(value: bigint): string {
  return `0x${value.toString(16)}`;
}
