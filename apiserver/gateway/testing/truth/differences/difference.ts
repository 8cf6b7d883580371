/** What the light engine answers otherwise than geth, and why it stays so. */
export interface Difference {
  methods: readonly string[];
  /** What of a call or an answer differs. */
  what: string;
  /** In one sentence. */
  reason: string;
  /**
   * The members that differ, as paths; or who answers with an error where the other one answers with a result, and with which
   * codes.
   */
  where: { paths: RegExp } | { refusedBy: 'geth' | 'light'; codes?: readonly number[] };
  /** What the values of the members are like; absent: any that differ. */
  values?(geth: unknown, light: unknown): boolean;
  /** Only calls whose parameters, as JSON, are like this. */
  params?: RegExp;
}

/** The engine has a member that geth does not have. */
export const isAdded = (geth: unknown): boolean => geth === undefined;
/** geth has a member that the engine does not have. */
export const isLeftOut = (_geth: unknown, light: unknown): boolean => light === undefined;
