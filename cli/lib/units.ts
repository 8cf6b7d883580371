/** An amount of the smallest unit in whole coins, with at most so many digits after the point. */
export function coinsText(amount: bigint, decimals: number, shown = 6): string {
  const unit = 10n ** BigInt(decimals);
  const rest = (amount % unit)
    .toString()
    .padStart(decimals, '0')
    .slice(0, shown)
    .replace(/0{1,255}$/, '');
  const whole = (amount / unit).toString();
  return rest === '' ? whole : `${whole}.${rest}`;
}
