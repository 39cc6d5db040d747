/** The parts of Tesseract's WebAssembly interface that are used here. */
interface TesseractApi {
  Init(path: null, languages: string, mode: number): number;
  SetVariable(name: string, value: string): void;
  SetImageFile(orientation: number, angle: number): number;
  Recognize(monitor: null): number;
  GetJSONText(): string;
}
interface TesseractModule {
  FS: { writeFile(path: string, data: Uint8Array): void };
  TessBaseAPI: new () => TesseractApi;
}
declare module 'tesseract.js-core/tesseract-core-relaxedsimd-lstm.js' {
  const open: (settings: object) => Promise<TesseractModule>;
  export default open;
}
declare module 'tesseract.js-core/tesseract-core-simd-lstm.js' {
  const open: (settings: object) => Promise<TesseractModule>;
  export default open;
}
declare module 'tesseract.js-core/tesseract-core-lstm.js' {
  const open: (settings: object) => Promise<TesseractModule>;
  export default open;
}
