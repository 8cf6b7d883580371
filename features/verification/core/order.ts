/** Has whose share it takes before the order is read: each account has its own of the memory. Its name is that of version 0.3.0. */
export const accountHeader = 'x-slipway-workspace';
