/** That of package.json, which no bundle has beside it. */
export const version = '0.3.0';
