import type { TypeRules } from '../rules.ts';

/** The signature block of a chartered accountant at the end. */
export const SIGNATURE: NonNullable<TypeRules['fields']> = {
  udin: { labels: 'udin', within: true },
  mrn: { labels: 'membership (?:no|number)|m\\.? ?no|mem(?:bership)?\\.? no|mrn', within: true },
  frn: {
    labels: "firm(?:[’']?s)? reg(?:istration|n)?\\.? ?(?:no|number)|f\\.?r\\.?n\\.?(?: no)?|icai frn",
    within: true,
  },
  place: 'place',
};
