/** English. */
export const texts = {
  faucet: 'Faucet',
  faucetHint: 'Paid by your account on this network. Wakes a stopped network.',
  address: 'Address',
  addressHint: '0x and 40 hexadecimal digits.',
  amount: 'Amount',
  amountWrong: 'Write a number such as 1 or 0.5.',
  pay: 'Get funds',
  paid: 'The funds have arrived.',
};
