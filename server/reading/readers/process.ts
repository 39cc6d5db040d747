import type { Recognised } from '#server/recognition/contract.ts';
import { recognise } from '#server/recognition/recognise.ts';
import type { FileText, MadeText, ReadingOrder } from './contract.ts';
import { Budget, Refused } from './limits.ts';
import { listed } from './listed.ts';
import { readFile } from './read.ts';
import { withScans } from './scanned.ts';

/** What the file is, by its text; a rule that stumbles costs nobody the text. */
function recognised({ pages }: FileText, fileType: string): Recognised | null {
  try {
    return recognise(pages, { fileType });
  } catch {
    return null;
  }
}

async function made({ bytes: given, fileType, scanned, passwords, again }: ReadingOrder): Promise<MadeText> {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  try {
    const budget = new Budget(again);
    const text = withScans(await readFile(bytes, fileType, budget, passwords), scanned, budget);
    return { ...listed(text), recognised: recognised(text, fileType) };
  } catch (error) {
    // A library that stumbles over a file says so in its own words, of which only a log may know.
    const why = error instanceof Error ? error.message : String(error);
    return { refused: error instanceof Refused ? error.refusal : 'damaged', why };
  }
}

// A process of its own, which is given nothing but the file: no key, no folder, no word of whose it is.
process.on('message', (order: ReadingOrder & { job: number }) => {
  void made(order).then((text) => process.send!({ ...text, job: order.job }));
});
process.on('disconnect', () => process.exit(0));
