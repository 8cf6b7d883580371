/** This part of the whole is for holders with little, as long as any is left. */
const reservedPortion = 1 / 8;
const guaranteedPortion = 1 / 1024;
/** How much of what is free a group may have: one that is alone gets seven twelfths of the whole. */
const groupPortion = 2;

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
  return own <= portion * freeOf(total, all) || isGuaranteed(total, { own, all });
}

/**
 * The same for a holder in a group: at most `portion` of what the group may still have, which is bounded in the same way. So many
 * holders in one group get no more than the group, and leave something for the others in it.
 */
export function fitsShareOfGroup(
  total: number,
  portion: number,
  { own, group, all }: Use & { group: number },
): boolean {
  // A holder may be in several groups, and counts for itself in all of them.
  const most = Math.max(own, group);
  return (
    own <= portion * (groupPortion * freeOf(total, all) - most) || isGuaranteed(total, { own: most, all })
  );
}

function freeOf(total: number, all: number): number {
  return total * (1 - reservedPortion) - all;
}

function isGuaranteed(total: number, { own, all }: Use): boolean {
  return own <= total * guaranteedPortion && all <= total;
}
