import { gunzipSync } from 'node:zlib';
import type { FileView } from '../contract.ts';
import { unpacked } from '../stored-view.ts';
import { letterPaper } from './letter.ts';
import type { Paper } from './paper.ts';
import { tablePaper } from './table.ts';

/** Lays out a stored `view` rendition on pages. */
export async function viewPaper(stored: Buffer): Promise<Paper> {
  const { json, body } = unpacked(stored);
  const { data } = JSON.parse(gunzipSync(json).toString()) as { data: FileView };
  if (data.kind === 'locked') throw new Error('It opens only with a password.');
  if (data.kind === 'table') return tablePaper(data.sheets);
  const html = body.length > 0 ? gunzipSync(body).toString() : '';
  return letterPaper(html, data.kind === 'mail' ? data : undefined);
}
