declare module 'heic-decode' {
  interface Frame {
    width: number;
    height: number;
    /** RGBA, upright. */
    decode(): Promise<{ width: number; height: number; data: Uint8ClampedArray }>;
  }
  /** The package brings no types of its own; these are of what is used. */
  const decode: { all(input: { buffer: Uint8Array }): Promise<Frame[] & { dispose(): void }> };
  export default decode;
}
