import { gzipSync } from 'node:zlib';
import type { FileView } from './contract.ts';
import { Locked } from './convert/limits.ts';
import { previewKind } from '#server/documents/contract.ts';
import { serveRequests } from '#server/sandbox/serve-requests.ts';

/** A request to the process that reads office documents. */
export interface ReadingOrder {
  bytes: Uint8Array;
  fileType: string;
  /** The positions of attachments to extract, from 1; without them, the view of the file is made. */
  attachments?: number[];
}
export type MadeReading =
  | {
      /** The response of `GET /api/documents/:id/view` as JSON, gzipped. */
      view: Uint8Array;
      /** The HTML for the frame, gzipped; empty if there is none. */
      body: Uint8Array;
    }
  | { attachments: { name: string; bytes: Uint8Array }[] };

const NOTHING = new Uint8Array();

async function viewOf(bytes: Buffer, fileType: string): Promise<{ view: FileView; body?: string }> {
  const kind = previewKind(fileType);
  // Each reader is imported on demand, so that the first file does not wait for the others.
  if (kind === 'mail') return (await import('./convert/mail.ts')).viewMail(bytes);
  if (kind === 'table') {
    const { readTable } = await import('./convert/table.ts');
    return { view: { kind, sheets: readTable(bytes) } };
  }
  const { readDocument } = await import('./convert/docx.ts');
  const { body, remote_pictures } = await readDocument(bytes, fileType);
  return { view: { kind: 'document', remote_pictures }, body };
}

async function read({ bytes: input, fileType, attachments }: ReadingOrder): Promise<MadeReading> {
  const bytes = Buffer.from(input.buffer, input.byteOffset, input.byteLength);
  if (attachments) {
    const { readAttachments } = await import('./convert/mail.ts');
    return { attachments: await readAttachments(bytes, attachments) };
  }
  const { view, body } = await viewOf(bytes, fileType).catch((error: unknown) => {
    if (error instanceof Locked) return { view: { kind: 'locked' as const }, body: undefined };
    throw error;
  });
  return {
    view: gzipSync(JSON.stringify({ success: true, data: view })),
    body: body === undefined ? NOTHING : gzipSync(body),
  };
}

// A separate process, like that for pictures: a crash or exhausted memory does not affect the server.
serveRequests(read);
