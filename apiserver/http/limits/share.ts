/** This part of the whole is for holders with little, as long as any is left. */
const reservedPortion = 1 / 8;
const guaranteedPortion = 1 / 1024;

interface Use {
  /** What the holder would have. */
  own: number;
  /** What all holders together would have. */
  all: number;
}

/**
 * Whether a holder stays within its share of `total`: at most `portion` of what is free. Each newcomer gets less than what is
 * left (the dynamic thresholds of Choudhury and Hahne, 1998), so greedy holders never take all.
 */
export function fitsShare(total: number, portion: number, { own, all }: Use): boolean {
  const shared = total * (1 - reservedPortion);
  return own <= portion * (shared - all) || (own <= total * guaranteedPortion && all <= total);
}
