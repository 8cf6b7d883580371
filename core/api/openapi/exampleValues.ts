/** Addresses in examples: an account, and a contract. */
export const exampleAccount = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
export const exampleContract = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
export const exampleTime = '2026-01-15T09:30:00Z';
