import type { Mark } from './picture.ts';

/** Pixels of the icon at 100, 125, 150, 200, 250 and 300 % scaling. */
export const WIDTHS = [16, 20, 24, 32, 40, 48] as const;
export const iconFile = (mark: Mark, width: number): string => `tray-${mark}-${width}.png`;

/** Badges in the corner of the icon. */
const CORNERS: Record<Mark, { colour: string; sign: string } | null> = {
  idle: null,
  working: { colour: '#1a7f45', sign: 'M17 21v-8M13.8 16 17 12.8 20.2 16' },
  paused: { colour: '#5b6474', sign: 'M15.3 14v6M18.7 14v6' },
  problem: { colour: '#c2410c', sign: 'M17 13v4.4M17 20.6v.4' },
};

/** The product's icon with a badge for the status, as SVG. @param sign the site's icon, as SVG. */
export function drawnIcon(sign: string, mark: Mark): string {
  const corner = CORNERS[mark];
  if (!corner) return sign;
  const drawn =
    `<circle cx="17" cy="17" r="7" fill="#fff"/><circle cx="17" cy="17" r="6.2" fill="${corner.colour}"/>` +
    `<path d="${corner.sign}" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/>`;
  return sign.replace('</svg>', () => `${drawn}</svg>`);
}
