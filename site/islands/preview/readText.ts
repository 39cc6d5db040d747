/** Maximum bytes of a text file that are shown; more would slow down the page. */
export const SHOWN_BYTES = 1024 * 1024;

/** Decodes text by its byte order mark, else as UTF-8 if valid, else as Windows-1252, which Windows programs in India write. */
export function decode(bytes: Uint8Array, cut: boolean): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    // The last character may be truncated; `stream` tolerates an incomplete sequence at the end.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: cut });
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Loads the beginning of a file. Rejects if the request fails. */
export async function readText(url: string, size: number, signal: AbortSignal): Promise<string> {
  if (size === 0) return '';
  const cut = size > SHOWN_BYTES;
  const headers = cut ? { Range: `bytes=0-${SHOWN_BYTES - 1}` } : undefined;
  const response = await fetch(url, { signal, ...(headers && { headers }) });
  if (!response.ok) throw new Error(`HTTP error! status: ${response.status}`);
  return decode(new Uint8Array(await response.arrayBuffer()), cut);
}
