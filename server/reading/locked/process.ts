import { serveRequests } from '#server/sandbox/serve-requests.ts';
import { openPdf, PdfLocked } from '../pdfium.ts';
import type { MadeUnlocked, UnlockOrder } from './contract.ts';

async function made({ bytes, passwords, write }: UnlockOrder): Promise<MadeUnlocked> {
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

// Passwords are tried here and nowhere else, and of each order no more than it brings.
serveRequests(made);
