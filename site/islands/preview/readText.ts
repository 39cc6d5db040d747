/** Bytes of a text file that are shown; more would only make the page slow. */
export const SHOWN_BYTES = 1024 * 1024;

/** As text, by its mark or by whether it is valid: UTF-8, UTF-16, or what Windows programs in India write otherwise. */
export function decode(bytes: Uint8Array, cut: boolean): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    // The last character may be cut in two; what waits for its rest is no fault.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: cut });
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** The beginning of the file behind a link. Rejects when it cannot be had. */
export async function readText(url: string, size: number, signal: AbortSignal): Promise<string> {
  if (size === 0) return '';
  const cut = size > SHOWN_BYTES;
  const headers = cut ? { Range: `bytes=0-${SHOWN_BYTES - 1}` } : undefined;
  const response = await fetch(url, { signal, ...(headers && { headers }) });
  if (!response.ok) throw new Error(`HTTP error! status: ${response.status}`);
  return decode(new Uint8Array(await response.arrayBuffer()), cut);
}
