import { api } from './api.ts';

/** Lets the browser download a URL; without `name`, under the server's file name. */
export function downloadFrom(url: string, name = ''): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}

const fileNameOf = (disposition: string): string => {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  if (encoded) return decodeURIComponent(encoded);
  return /filename="?([^";]+)"?/i.exec(disposition)?.[1] ?? '';
};

/** Downloads the file in an API response, under the server's file name. Rejects with an ApiError. */
export async function downloadResponse(path: string, body: unknown): Promise<void> {
  const response = await api.file(path, body);
  const url = URL.createObjectURL(await response.blob());
  downloadFrom(url, fileNameOf(response.headers.get('Content-Disposition') ?? ''));
  // By then the browser has started the download.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
