import { api } from './api.ts';

/** Lets the browser save what an address gives, under the name that the server or the caller says. */
export function downloadFrom(url: string, name = ''): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}

const named = (disposition: string): string => {
  const coded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  if (coded) return decodeURIComponent(coded);
  return /filename="?([^";]+)"?/i.exec(disposition)?.[1] ?? '';
};

/** Lets the browser save the file that a call answers with, under the name that the server says. Rejects with an ApiError. */
export async function downloadResponse(path: string, body: unknown): Promise<void> {
  const response = await api.file(path, body);
  const url = URL.createObjectURL(await response.blob());
  downloadFrom(url, named(response.headers.get('Content-Disposition') ?? ''));
  // The browser has taken it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
