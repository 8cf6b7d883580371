/** JSON-RPC of one chain. Rejects with AppError; an error of the chain itself has `cause: {code, message, data}`. */
export interface ChainReader {
  call(method: string, params: readonly unknown[]): Promise<unknown>;
}
