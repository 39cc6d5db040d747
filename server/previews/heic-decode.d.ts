declare module 'heic-decode' {
  interface Frame {
    width: number;
    height: number;
    /** RGBA, upright. */
    decode(): Promise<{ width: number; height: number; data: Uint8ClampedArray }>;
  }
  /** The package has no types; these cover the used part of its API. */
  const decode: { all(input: { buffer: Uint8Array }): Promise<Frame[] & { dispose(): void }> };
  export default decode;
}
