import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const SCRIPTS = 'devanagari bengali gujarati gurmukhi kannada malayalam oriya tamil telugu'.split(' ');
/** The Devanagari package also has the Latin letters and the rupee sign. */
const PARTS = [['devanagari', 'latin'], ['devanagari', 'latin-ext'], ...SCRIPTS.map((name) => [name, name])];
const WEIGHTS = [400, 600] as const;

/** The font families, in fallback order. */
export const FAMILIES = PARTS.map(([, part]) => `'India ${part}'`).join(', ');

let loaded: Promise<void> | undefined;

async function load(): Promise<void> {
  // Loaded on first use: 9 MB that most servers never need.
  const { GlobalFonts } = await import('@napi-rs/canvas');
  for (const [name, part] of PARTS) {
    for (const weight of WEIGHTS) {
      const file = `@fontsource/noto-sans-${name}/files/noto-sans-${name}-${part}-${weight}-normal.woff2`;
      const data = await readFile(fileURLToPath(import.meta.resolve(file)));
      GlobalFonts.register(data, `India ${part}`);
    }
  }
}

/** Registers fonts for the Indian scripts with the canvas, once. */
export const loadFonts = (): Promise<void> => (loaded ??= load());
