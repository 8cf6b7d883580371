/** A number as JSON-RPC writes it (Ethereum execution API, "quantity"). */
export const toQuantity = (value: bigint | number): `0x${string}` => `0x${value.toString(16)}`;
