/** An amount of the smallest unit in whole coins, with at most six digits after the point. */
export function coinsText(amount: bigint, decimals: number): string {
  const unit = 10n ** BigInt(decimals);
  const rest = (amount % unit)
    .toString()
    .padStart(decimals, '0')
    .slice(0, 6)
    .replace(/0{1,6}$/, '');
  const whole = (amount / unit).toString();
  return rest === '' ? whole : `${whole}.${rest}`;
}
