/** What is known of the client of a locked PDF. */
export interface ClientFacts {
  name: string;
  pan: string | null;
  /** Birth or incorporation, `1990-04-07`. */
  born_on: string | null;
}

/**
 * Passwords that the portals give to what they send: AIS, TIS and ITR-V open with the PAN in small letters and the day;
 * 26AS and e-PAN with the day; e-Aadhaar with four letters of the name and the year; Form 16 with the PAN, with or without
 * the day. The likeliest first; never more than a dozen.
 */
export function derivedPasswords({ name, pan, born_on }: ClientFacts): string[] {
  const [year = '', month = '', day = ''] = born_on?.split('-') ?? [];
  const whole = born_on ? `${day}${month}${year}` : '';
  const letters = name.toUpperCase().replace(/[^A-Z]/g, '');
  const [small, large] = [pan?.toLowerCase() ?? '', pan?.toUpperCase() ?? ''];
  return [
    ...(pan && born_on ? [small + whole, large + whole] : []),
    ...(pan ? [large, small] : []),
    ...(born_on
      ? [whole, `${day}${month}${year.slice(2)}`, `${day}-${month}-${year}`, `${day}/${month}/${year}`]
      : []),
    ...(born_on && letters.length >= 4
      ? [letters.slice(0, 4) + year, letters.slice(0, 4).toLowerCase() + `${day}${month}`]
      : []),
  ];
}
