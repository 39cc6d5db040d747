import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Raster } from './raster.ts';
import type { ScannedWord } from './words.ts';

export type Languages = 'eng' | 'eng+hin';

/** Recognises the words of a picture whose lines are level. */
export type Tesseract = (raster: Raster, languages: Languages) => ScannedWord[];

interface TesseractOutput {
  blocks:
    | {
        paragraphs: {
          lines: {
            words: {
              text: string;
              confidence: number;
              bbox: { x0: number; y0: number; x1: number; y1: number };
            }[];
          }[];
        }[];
      }[]
    | null;
}

const LSTM_ONLY = 1;
const ENGLISH = '@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz';
const HINDI = '@tesseract.js-data/hin/4.0.0_best_int/hin.traineddata.gz';

const settings = { print() {}, printErr() {} };

/** Loads the fastest build that this processor runs. */
async function openModule(): Promise<TesseractModule> {
  try {
    return await (await import('tesseract.js-core/tesseract-core-relaxedsimd-lstm.js')).default(settings);
  } catch {
    try {
      return await (await import('tesseract.js-core/tesseract-core-simd-lstm.js')).default(settings);
    } catch {
      return (await import('tesseract.js-core/tesseract-core-lstm.js')).default(settings);
    }
  }
}

const unpacked = async (name: string): Promise<Buffer> =>
  promisify(gunzip)(await readFile(fileURLToPath(import.meta.resolve(name))));

/** The picture as a portable greymap (PGM). */
const toPgm = ({ data, width, height }: Raster): Buffer =>
  Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), data]);

/** Opens Tesseract with English and Hindi. */
export async function openTesseract(): Promise<Tesseract> {
  const [module, english, hindi] = await Promise.all([openModule(), unpacked(ENGLISH), unpacked(HINDI)]);
  module.FS.writeFile('eng.traineddata', english);
  module.FS.writeFile('hin.traineddata', hindi);
  const engines = new Map<Languages, TesseractApi>();

  function engineFor(languages: Languages): TesseractApi {
    let engine = engines.get(languages);
    if (!engine) {
      engine = new module.TessBaseAPI();
      if (engine.Init(null, languages, LSTM_ONLY) !== 0) throw new Error('Tesseract does not begin.');
      // Adaptive learning from one page must not affect the next.
      engine.SetVariable('classify_enable_learning', '0');
      engines.set(languages, engine);
    }
    return engine;
  }

  return (raster, languages) => {
    const engine = engineFor(languages);
    module.FS.writeFile('/input', toPgm(raster));
    if (engine.SetImageFile(1, 0) === 1) throw new Error('Tesseract does not take the picture.');
    engine.Recognize(null);
    const { blocks } = JSON.parse(engine.GetJSONText()) as TesseractOutput;
    return (blocks ?? []).flatMap(({ paragraphs }) =>
      paragraphs.flatMap(({ lines }) =>
        lines.flatMap(({ words }) =>
          words.map(({ text, confidence, bbox: { x0, y0, x1, y1 } }) => ({
            text,
            left: x0,
            top: y0,
            right: x1,
            bottom: y1,
            confidence: confidence / 100,
          })),
        ),
      ),
    );
  };
}
