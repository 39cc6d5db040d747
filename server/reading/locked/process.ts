import { serveRequests } from '#server/sandbox/serve-requests.ts';
import { openPdf, PdfLocked } from '../pdfium.ts';
import type { UnlockResult, UnlockRequest } from './contract.ts';

async function unlock({ bytes, passwords, write }: UnlockRequest): Promise<UnlockResult> {
  try {
    const pdf = await openPdf(bytes, passwords);
    try {
      return { password: pdf.password, unlocked: write ? pdf.unlocked() : new Uint8Array() };
    } finally {
      pdf.close();
    }
  } catch (error) {
    if (error instanceof PdfLocked) return { locked: true };
    return { unreadable: error instanceof Error ? error.message : String(error) };
  }
}

// The process keeps nothing between requests: it gets the document and the candidates each time.
serveRequests(unlock);
