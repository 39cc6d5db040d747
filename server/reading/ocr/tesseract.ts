import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Raster } from './raster.ts';
import type { ScannedWord } from './words.ts';

export type Languages = 'eng' | 'eng+hin';

/** Reads a picture whose lines are level. */
export type Tesseract = (raster: Raster, languages: Languages) => ScannedWord[];

interface Said {
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

/** The fastest that this processor runs. */
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

/** A picture in the plainest format that there is: portable grey map. */
const portable = ({ data, width, height }: Raster): Buffer =>
  Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), data]);

/** Tesseract with the letters of English and Hindi. */
export async function openTesseract(): Promise<Tesseract> {
  const [module, english, hindi] = await Promise.all([openModule(), unpacked(ENGLISH), unpacked(HINDI)]);
  module.FS.writeFile('eng.traineddata', english);
  module.FS.writeFile('hin.traineddata', hindi);
  const readers = new Map<Languages, TesseractApi>();

  function readerOf(languages: Languages): TesseractApi {
    let reader = readers.get(languages);
    if (!reader) {
      reader = new module.TessBaseAPI();
      if (reader.Init(null, languages, LSTM_ONLY) !== 0) throw new Error('Tesseract does not begin.');
      // What was learned from one page says nothing about the next.
      reader.SetVariable('classify_enable_learning', '0');
      readers.set(languages, reader);
    }
    return reader;
  }

  return (raster, languages) => {
    const reader = readerOf(languages);
    module.FS.writeFile('/input', portable(raster));
    if (reader.SetImageFile(1, 0) === 1) throw new Error('Tesseract does not take the picture.');
    reader.Recognize(null);
    const { blocks } = JSON.parse(reader.GetJSONText()) as Said;
    return (blocks ?? []).flatMap(({ paragraphs }) =>
      paragraphs.flatMap(({ lines }) =>
        lines.flatMap(({ words }) =>
          words.map(({ text, confidence, bbox: { x0, y0, x1, y1 } }) => ({
            text,
            left: x0,
            top: y0,
            right: x1,
            bottom: y1,
            sure: confidence / 100,
          })),
        ),
      ),
    );
  };
}
