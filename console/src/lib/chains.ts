/** The chain types that the console knows a form for. */
const evmTypes = [
  ...(['Ethereum', 'Arbitrum', 'Optimism', 'Base', 'BNB', 'Avalanche', 'Fantom'] as const),
  ...(['Mantle', 'ZKSync', 'Polygon'] as const),
] as const;
export const chainTypes = [...evmTypes, 'Solana', 'LayerZero', 'Thorchain'] as const;
export type ChainType = (typeof chainTypes)[number];

export function isEvm(type: string): boolean {
  return evmTypes.some((one) => one === type);
}

/** The member of spec.chain that a type has its settings in. */
export function memberOf(type: string): string {
  return type.toLowerCase();
}
