/** The legal forms of clients. */
export const CLIENT_TYPES = [
  'Individual',
  'HUF',
  'Firm',
  'LLP',
  'Company',
  'Trust',
  'AOP/BOI',
  'Society',
  'Government',
] as const;
export type ClientType = (typeof CLIENT_TYPES)[number];
