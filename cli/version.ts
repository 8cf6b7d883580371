/** That of package.json, which the bundle does not have beside it. */
export const version = '0.3.0';
