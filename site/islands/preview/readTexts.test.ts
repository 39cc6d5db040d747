import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Pdf } from './pdf.ts';
import { readTexts } from './readTexts.ts';

test('a damaged page is read as empty, so that the words on the other pages are still found', async () => {
  const pdf = {
    numPages: 3,
    async getPage(number: number) {
      if (number === 2) throw new Error('The page is damaged.');
      return { getTextContent: async () => ({ items: [{ str: `Form 16, page ${number}` }] }) };
    },
  } as unknown as Pdf;
  const texts = await readTexts(pdf, async () => new Map());
  assert.equal(texts, [['Form 16, page 1'], [], ['Form 16, page 3']]);
});

test.run();
