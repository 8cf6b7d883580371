/**
 * Names the account whose share of the memory the request uses, before its body is read. The header has the name that it had in
 * 0.3.0.
 */
export const accountHeader = 'x-slipway-workspace';
