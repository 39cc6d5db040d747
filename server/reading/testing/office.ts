import { paragraph, run, docx, workbook } from '#server/previews/testing/office.ts';
import { attached, eml, msg } from '#server/previews/testing/mails.ts';
import { zip } from '#server/sheets/testing/workbook.ts';
import { pdf } from '#server/tools/samples.ts';
import type { World } from '#server/testing/world.ts';

/** Reads all that waits. @returns how many files were dealt with. */
export async function readAll({ services }: Pick<World, 'services'>): Promise<number> {
  let count = 0;
  for (let some = -1; some !== 0; count += some)
    some = await services.reading.work(new AbortController().signal);
  return count;
}

/** Reads all pictures that wait: one shift may end before the last of them. */
export async function scanAll({ services }: Pick<World, 'services'>): Promise<void> {
  while ((await services.reading.scan(new AbortController().signal)) > 0);
}

const TEXT = 'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"';
const OPEN = `xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" ${TEXT}`;
const SLIDES = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:p="urn:p"';

export const pptx = (slides: readonly string[]): Buffer =>
  zip(
    Object.fromEntries(
      slides.map((text, index) => [
        `ppt/slides/slide${index + 1}.xml`,
        `<p:sld ${SLIDES}><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:sld>`,
      ]),
    ),
  );

export const opendocument = (body: string): Buffer =>
  zip({
    mimetype: 'application/vnd.oasis.opendocument',
    'content.xml': `<office:document-content ${OPEN}><office:body>${body}</office:body></office:document-content>`,
  });

/** The same words in a file of every type that is read. */
export function everyType(words: string): Record<string, string | Buffer> {
  const cell = `<row r="1"><c r="A1" t="inlineStr"><is><t>${words}</t></is></c></row>`;
  return {
    'a.pdf': pdf([['First page'], [words]]),
    'a.docx': docx(paragraph(run('Before')) + paragraph(run(words))),
    'a.xlsx': workbook({ Purchases: { rows: cell } }),
    'a.ods': opendocument(
      `<table:table table:name="Sales"><table:table-row><table:table-cell><text:p>${words}</text:p></table:table-cell></table:table-row></table:table>`,
    ),
    'a.odt': opendocument(`<text:h>Heading</text:h><text:p>${words}</text:p>`),
    'a.pptx': pptx(['Agenda', words]),
    'a.csv': `Name,Words\nx,${words}\n`,
    'a.txt': words,
    'a.html': `<html><head><title>no</title></head><body><p>${words}</p></body></html>`,
    'a.json': `{"a":{"b":"${words}"}}`,
    'a.xml': `<?xml version="1.0"?><A kind="x"><B>${words}</B></A>`,
    'a.rtf': `{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0 Arial;}}\\f0 Before\\par ${words.replace(/[^ -~]/g, (sign) => `\\u${sign.charCodeAt(0)}?`)}\\par}`,
    'a.eml': eml(
      ['From: a@b.in', 'Subject: About it'],
      [
        { head: ['Content-Type: text/plain; charset=utf-8'], body: words },
        attached('Attached challan.pdf', 'application/pdf', Buffer.from('%PDF-')),
      ],
    ),
    'a.msg': msg({
      subject: 'About it',
      from: { name: 'A', address: 'a@b.in' },
      to: [],
      sentAt: '2026-04-01T00:00:00Z',
      text: words,
    }),
    // Banks call a web page so, and accounting programs a text.
    'b.xls': `<html><body><table><tr><td>${words}</td></tr></table></body></html>`,
    'c.xls': `Name\tWords\nx\t${words}\n`,
  };
}
