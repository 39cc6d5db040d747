/** What is known of the client of a locked PDF. */
export interface ClientFacts {
  name: string;
  pan: string | null;
  /** Date of birth or incorporation, `1990-04-07`. */
  born_on: string | null;
}

/**
 * The passwords that the portals derive from a client's data: AIS, TIS and ITR-V use the PAN in small letters and the
 * date; 26AS and e-PAN the date; e-Aadhaar four letters of the name and the year; Form 16 the PAN, with or without
 * the date. The likeliest first; at most a dozen.
 */
export function derivedPasswords({ name, pan, born_on }: ClientFacts): string[] {
  const [year = '', month = '', day = ''] = born_on?.split('-') ?? [];
  const date = born_on ? `${day}${month}${year}` : '';
  const letters = name.toUpperCase().replace(/[^A-Z]/g, '');
  const [small, large] = [pan?.toLowerCase() ?? '', pan?.toUpperCase() ?? ''];
  return [
    ...(pan && born_on ? [small + date, large + date] : []),
    ...(pan ? [large, small] : []),
    ...(born_on
      ? [date, `${day}${month}${year.slice(2)}`, `${day}-${month}-${year}`, `${day}/${month}/${year}`]
      : []),
    ...(born_on && letters.length >= 4
      ? [letters.slice(0, 4) + year, letters.slice(0, 4).toLowerCase() + `${day}${month}`]
      : []),
  ];
}
