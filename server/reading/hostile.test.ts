import { readdir, readFile } from 'node:fs/promises';
import { constants, deflateRawSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { forge } from '#server/archive/read/testing/forge.ts';
import { eml } from '#server/previews/testing/mails.ts';
import { pdf } from '#server/tools/samples.ts';
import type { World } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';
import { Budget } from './readers/limits.ts';
import { readPdf } from './readers/pdf.ts';
import { readAll } from './testing/office.ts';

interface Office extends World {
  actor: Actor;
  /** Reads a file and, behind it in the queue, a harmless one; returns state, reason and cut of the first. */
  readIt: (name: string, content: Buffer) => Promise<(string | null)[]>;
}

const test = suite<Office>('files that were made to harm their reader');
test.before(async (office) => {
  Object.assign(office, await freshWorld());
  const { build, services } = office;
  office.actor = await build.actor();
  office.readIt = async (name, content) => {
    const fine = await build.file(office.actor, {
      name: `before ${name}.txt`,
      content: `fine, before ${name}`,
    });
    const { id } = await build.file(office.actor, { name, content });
    await readAll(office);
    assert.is((await services.reading.state(office.actor, fine.id)).state, 'read', 'the next one is read');
    const { state, reason, cut } = await services.reading.state(office.actor, id);
    return [state, reason, cut];
  };
});
test.after((office) => office.close());

const MIB = 1024 * 1024;

/** Deflated bytes of a part that is so many MiB long: a beginning, and then the same piece again and again. */
function bomb(begins: string, piece: string, mebibytes: number): Buffer {
  const pack = (text: string) => deflateRawSync(text, { finishFlush: constants.Z_FULL_FLUSH });
  const one = pack(piece.repeat(Math.ceil(MIB / piece.length)));
  const all = Array.from({ length: mebibytes }, () => one);
  return Buffer.concat([pack(begins), ...all, deflateRawSync('')]);
}

/** An Office file whose main part unpacks to so many MiB, from a thousandth of that; `said` is the size that it declares. */
const swollen = (path: string, begins: string, piece: string, said: number, mebibytes = 2048): Buffer =>
  forge([
    { name: '[Content_Types].xml', data: '<Types/>' },
    { name: path, data: '', packed: bomb(begins, piece, mebibytes), size: said, crc: 0 },
  ]);

test('a workbook and a Word document that unpack to gigabytes are refused, even with false declared sizes', async ({
  readIt,
}) => {
  const sheet = ['xl/worksheets/sheet1.xml', '<worksheet><sheetData>', '<row/>'] as const;
  const body = ['word/document.xml', '<w:document xmlns:w="w"><w:body>', 'on and on '] as const;
  assert.equal(await readIt('says.xlsx', swollen(...sheet, 2048 * MIB)), ['refused', 'too_large', null]);
  assert.equal(await readIt('lies.xlsx', swollen(...sheet, 5000)), ['refused', 'too_large', null]);
  // Just over 4 GiB: the declared size has 32 bits, so that only the part beyond 4 GiB is declared.
  const wraps = swollen(...sheet, MIB, 4097);
  assert.equal(await readIt('wraps.xlsx', wraps), ['refused', 'too_large', null]);
  assert.equal(await readIt('says.docx', swollen(...body, 2048 * MIB)), ['refused', 'too_large', null]);
  assert.equal(await readIt('lies.docx', swollen(...body, 5000)), ['refused', 'damaged', null]);
});

test('an e-mail with fifty nested e-mails or parts is read, and one with a thousand nested parts is refused', async ({
  readIt,
}) => {
  const nested = (times: number): Buffer => {
    let mail = eml(
      ['Subject: The innermost'],
      [{ head: ['Content-Type: text/plain'], body: 'Words' }],
    ).toString();
    for (let n = 0; n < times; n += 1)
      mail = `Subject: Level ${n}\r\nMIME-Version: 1.0\r\nContent-Type: message/rfc822\r\n\r\n${mail}`;
    return Buffer.from(mail);
  };
  const parts = (times: number): Buffer => {
    let part = 'Content-Type: text/plain\r\n\r\nWords';
    for (let n = 0; n < times; n += 1)
      part = `Content-Type: multipart/mixed; boundary="b${n}"\r\n\r\n--b${n}\r\n${part}\r\n--b${n}--\r\n`;
    return Buffer.from(`Subject: Many parts\r\nMIME-Version: 1.0\r\n${part}`);
  };
  assert.equal(await readIt('fifty.eml', nested(50)), ['read', null, null]);
  assert.equal(await readIt('parts.eml', parts(50)), ['read', null, null]);
  assert.equal(await readIt('thousand parts.eml', parts(1000)), ['refused', 'damaged', null]);
});

test('reading a PDF whose page tree contains itself, and which declares a million pages, ends', async ({
  readIt,
}) => {
  const text = pdf([['Page']]).toString('latin1');
  const loop = text.replace(/\/Count 1 \/Kids \[[^\]]*\]/, '/Count 1000000 /Kids [2 0 R]');
  const [state] = await readIt('loop.pdf', Buffer.from(loop, 'latin1'));
  assert.ok(state === 'refused' || state === 'no_text', state!);
});

test('a PDF with a million objects that refer to each other in a circle is read', async ({ readIt }) => {
  const OBJECTS = 1_000_000;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    '<< /Length 46 >>\nstream\nBT /F1 12 Tf 72 700 Td (Among a million) Tj ET\nendstream',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let [text, places] = ['%PDF-1.4\n', ''];
  for (let number = 1; number <= OBJECTS; number += 1) {
    places += `${String(text.length).padStart(10, '0')} 00000 n \n`;
    text += `${number} 0 obj\n${objects[number - 1] ?? `[${(number % OBJECTS) + 1} 0 R]`}\nendobj\n`;
  }
  const list = `xref\n0 ${OBJECTS + 1}\n0000000000 65535 f \n${places}`;
  const end = `trailer\n<< /Size ${OBJECTS + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF`;
  assert.equal(await readIt('million.pdf', Buffer.from(text + list + end, 'latin1')), ['read', null, null]);
});

test('only the first 2000 pages of a PDF with 10,000 are read, and only the first 200 at the second attempt', async () => {
  const many = pdf(Array.from({ length: 10_000 }, (_, n) => [`Page ${n + 1}`]));
  const first = await readPdf(many, new Budget(false));
  assert.equal([first.pages.length, first.count, first.cut], [2000, 10_000, 'pages']);
  const { pages, count, cut } = await readPdf(many, new Budget(true));
  assert.equal([pages.length, count, cut], [200, 10_000, 'pages']);
});

/** The ids of the processes that this process started to read files. */
async function readers(): Promise<number[]> {
  const tasks = await readdir('/proc/self/task');
  const lists = await Promise.all(
    tasks.map((task) => readFile(`/proc/self/task/${task}/children`, 'utf8').catch(() => '')),
  );
  return lists.join(' ').split(' ').filter(Boolean).map(Number);
}

test('a file whose reader process is killed twice is refused as a crash, and the next file is read', async (office) => {
  const { services, build, actor } = office;
  services.reading.stop();
  const fine = await build.file(actor, { name: 'after.txt', content: 'read after the killing' });
  const endless = pdf([Array.from({ length: 300_000 }, () => 'x')]);
  const { id } = await build.file(actor, { name: 'killed.pdf', content: endless });
  const killed = new Set<number>();
  const reading = readAll(office);
  while ((await services.reading.state(actor, id)).state === 'waiting')
    for (const pid of await readers())
      if (!killed.has(pid)) {
        killed.add(pid);
        process.kill(pid, 'SIGKILL');
      }
  await reading;
  const { state, reason } = await services.reading.state(actor, id);
  assert.equal([state, reason, killed.size], ['refused', 'crash', 2]);
  assert.is((await services.reading.state(actor, fine.id)).state, 'read');
});

test.run();
