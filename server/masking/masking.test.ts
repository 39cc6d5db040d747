import { createCanvas, loadImage } from '@napi-rs/canvas';
import { encode } from 'uqr';
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import yauzl from 'yauzl';
import { pictureOf } from '#server/previews/pictures.ts';
import { readPdf } from '#server/reading/readers/pdf.ts';
import { Budget } from '#server/reading/readers/limits.ts';
import { readAll, scanAll } from '#server/reading/testing/office.ts';
import { drawn, mixedPdf } from '#server/reading/testing/scans.ts';
import type { Office } from '#server/sharing/testing/recipient.ts';
import { change, oneOffice, recipient, untilMasked } from '#server/sharing/testing/recipient.ts';
import { pdf } from '#server/tools/samples.ts';

const [PLAIN, SPACED, NUMBER] = ['234567890124', '2345 6789 0124', /2345\D?6789/];

const test = suite<Office>('links with Aadhaar numbers masked');
oneOffice(test, { reading: true, scans: 'light' });

/** Renders a page. @returns a function that measures the mean shade of a rectangle, from 0 (black) to 255. */
async function shades(bytes: Buffer, page = 1, fileType = 'pdf') {
  const { picture } = await pictureOf({ bytes, fileType, page, side: 1684 });
  const image = await loadImage(Buffer.from(picture));
  const canvas = createCanvas(image.width, image.height);
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  return (left: number, top: number, width: number, height: number): number => {
    const { data } = context.getImageData(left, top, width, height);
    let sum = 0;
    for (let start = 0; start < data.length; start += 4) sum += data[start]!;
    return sum / (data.length / 4);
  };
}

const textOf = async (bytes: Buffer): Promise<string> =>
  (await readPdf(bytes, new Budget(false))).pages.map(({ text }) => text).join('\n');

test('a PDF with an Aadhaar number is sent as pictures of its pages, with the first eight digits covered and no text layer', async (office) => {
  const { build, asha, share, address } = office;
  const content = mixedPdf([['Form 16', `Aadhaar ${PLAIN} of Ramesh`], ['Nothing on this page']]);
  const form = await build.file(asha.actor, { name: `Form 16 ${PLAIN}.pdf`, content });
  const bill = await build.file(asha.actor, { name: 'Bill.pdf', content: pdf([['Telephone bill']]) });
  await readAll(office);
  await untilMasked(office, [form.id, bill.id]);
  const priya = recipient(office, address, (await share([form.id, bill.id], { mask_aadhaar: true })).url);

  const seen = await priya.file(form.id);
  assert.equal(seen.state === 'file' && [seen.pages, seen.why, seen.item.shown], [2, null, 'pages']);
  assert.not.match(JSON.stringify([seen, await priya.page()]), NUMBER, 'nor in its name');
  const given = Buffer.from(await (await priya.download(form.id))!.arrayBuffer());
  assert.is(given.toString('latin1', 0, 5), '%PDF-');
  assert.is((await textOf(given)).trim(), '', 'there is nothing to select');
  const shade = await shades(given);
  // A point is two pixels; the line stands 102 points below the top, its digits from 130 on, each 7.8 wide.
  assert.ok(shade(266, 190, 110, 14) < 10, 'the first eight are black');
  assert.ok(shade(396, 190, 26, 14) > 120, 'the last four are there');

  const plain = (await priya.download(bill.id))!;
  assert.match(plain.headers.get('content-disposition')!, 'Bill.pdf');
  assert.is(
    (await textOf(Buffer.from(await plain.arrayBuffer()))).trim(),
    'Telephone bill',
    'its text can still be selected',
  );
  assert.is((await priya.get(`/files/${form.id}`)).status, 404);
  assert.is((await priya.get(`/thumbnails/${form.id}`)).status, 404);
  const drawnPage = await priya.get(`/pages/${form.id}/1`);
  const seenShade = await shades(Buffer.from(await drawnPage.arrayBuffer()), 1, 'webp');
  assert.ok(seenShade(266, 190, 110, 14) < 10, 'also on the page that is shown');

  await office.services.sharing.links.change(
    asha.actor,
    (await office.services.sharing.links.list(asha.actor))[0]!.id,
    change({}),
  );
  assert.not.match(JSON.stringify(await priya.page()), NUMBER, 'a change that says nothing of it leaves it');
});

/** A PDF of one page with a line of text and one annotation, which is drawn if it has an appearance. */
function annotatedPdf(line: string, annotation: string, appearance?: string): Buffer {
  const stream = (content: string, entries = '') =>
    `<<${entries}/Length ${content.length}>>\nstream\n${content}\nendstream`;
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F 5 0 R>>>>/Contents 4 0 R/Annots[6 0 R]>>',
    stream(`BT /F 16 Tf 60 700 Td (${line}) Tj ET`),
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    `<</Type/Annot/Rect[60 500 460 540]/F 4${annotation}${appearance === undefined ? '' : '/AP<</N 7 0 R>>'}>>`,
    stream(
      `BT /F 18 Tf 5 12 Td (${appearance ?? ''}) Tj ET`,
      '/Type/XObject/Subtype/Form/BBox[0 0 400 40]/Resources<</Font<</F 5 0 R>>>>',
    ),
  ];
  let text = '%PDF-1.7\n';
  const offsets = objects.map((object, index) => {
    const start = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(start).padStart(10, '0')} 00000 n \n`;
  });
  const table = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  text += `trailer\n<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${table}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}

test('of a PDF or a picture only what its pages show is served, since nobody reads its comments, links and metadata for numbers', async (office) => {
  const { build, asha, share, address } = office;
  const exif = await sharp({ create: { width: 400, height: 200, channels: 3, background: 'white' } })
    .withExif({ IFD0: { ImageDescription: `Aadhaar ${SPACED}` } })
    .jpeg()
    .toBuffer();
  const line = 'Form 16 of Ramesh';
  const names = {
    'comment.pdf': annotatedPdf(line, `/Subtype/Text/Contents(Aadhaar ${SPACED})`),
    'link.pdf': annotatedPdf(line, `/Subtype/Link/A<</S/URI/URI(https://x.in/?uid=${PLAIN})>>`),
    'stamp.pdf': annotatedPdf(line, '/Subtype/FreeText/DA(/F 18 Tf)', `Aadhaar ${SPACED}`),
    'photo.jpg': exif,
  };
  const files = new Map<string, number>();
  for (const [name, content] of Object.entries(names))
    files.set(name, (await build.file(asha.actor, { name, content })).id);
  await readAll(office);
  await scanAll(office);
  await readAll(office);
  await untilMasked(office, [...files.values()]);
  const priya = recipient(office, address, (await share([...files.values()], { mask_aadhaar: true })).url);
  const given = async (name: string) => {
    const sent = (await priya.download(files.get(name)!))!;
    return { name: sent.headers.get('content-disposition')!, bytes: Buffer.from(await sent.arrayBuffer()) };
  };
  for (const name of ['comment.pdf', 'link.pdf']) {
    const sent = await given(name);
    assert.match(sent.name, name);
    assert.not.match(sent.bytes.toString('latin1'), NUMBER, name);
    assert.is((await textOf(sent.bytes)).trim(), line, 'its text can still be selected');
  }
  const stamped = await given('stamp.pdf');
  assert.match(stamped.name, /Aadhaar(?: |%20)covered/);
  const shade = await shades(stamped.bytes);
  const page = await priya.get(`/pages/${files.get('stamp.pdf')!}/1`);
  const shownShade = await shades(Buffer.from(await page.arrayBuffer()), 1, 'webp');
  // It is drawn 330 points below the top, its digits from 138 on, each 10 wide.
  for (const one of [shade, shownShade]) assert.ok(one(284, 638, 90, 12) < 10, 'the digits of the stamp');
  const photo = await given('photo.jpg');
  assert.match(photo.name, 'photo.jpg');
  assert.is((await sharp(photo.bytes).metadata()).exif, undefined);
  assert.not.match(photo.bytes.toString('latin1'), NUMBER);
});

test('the type of a file decides what is served, not another file of the same bytes', async (office) => {
  const { build, asha, share, address } = office;
  const content = mixedPdf([['Form 16', `Aadhaar ${PLAIN}`]]);
  const form = await build.file(asha.actor, { name: 'form.pdf', content });
  await readAll(office);
  const text = await build.file(asha.actor, { name: 'form.txt', content });
  const priya = recipient(office, address, (await share([text.id, form.id], { mask_aadhaar: true })).url);
  await priya.download(text.id);
  await untilMasked(office, [form.id]);
  const sent = Buffer.from(await (await priya.download(form.id))!.arrayBuffer());
  assert.not(sent.equals(Buffer.from(content)));
  assert.is((await textOf(sent)).trim(), '');
});

test('on a photo of an Aadhaar card the number and the QR code are covered and the name is not, once the photo has been read', async (office) => {
  const { build, asha, share, address } = office;
  const print = ['Government of India', 'Ramesh Kumar', SPACED, 'VID : 9123 4567 8901 2346'];
  const photo = await loadImage(await drawn(print));
  const canvas = createCanvas(1240, 620);
  const context = canvas.getContext('2d');
  context.drawImage(photo, 0, 0);
  const { data, size } = encode('all that is on the card '.repeat(20));
  for (let row = 0; row < size; row += 1)
    for (let column = 0; column < size; column += 1) {
      context.fillStyle = data[row]![column] ? 'black' : 'white';
      context.fillRect(760 + column * 5, 60 + row * 5, 5, 5);
    }
  const content = await canvas.encode('jpeg', 90);
  const { id } = await build.file(asha.actor, { name: 'card.jpg', content });
  const { url } = await share([id], { mask_aadhaar: true, mode: 'view' });
  const priya = recipient(office, address, url);
  const before = await priya.file(id);
  assert.is(before.state === 'file' && before.why, 'waiting', 'not before it was read');
  assert.is((await priya.get(`/pages/${id}/1`)).status, 409);
  await readAll(office);
  await scanAll(office);
  await readAll(office);
  await untilMasked(office, [id]);
  const after = await priya.file(id);
  assert.equal(after.state === 'file' && [after.pages, after.why], [1, null]);
  const shade = await shades(Buffer.from(await (await priya.get(`/pages/${id}/1`)).arrayBuffer()), 1, 'webp');
  const scale = 1684 / 1240;
  const at = (left: number, top: number, width: number, height: number) =>
    shade(
      Math.round(left * scale),
      Math.round(top * scale),
      Math.round(width * scale),
      Math.round(height * scale),
    );
  assert.ok(at(96, 214, 120, 16) < 40, 'of twelve digits the first eight');
  assert.ok(at(775, 75, size * 5 - 30, size * 5 - 30) < 60, 'the QR code');
  assert.ok(at(90, 140, 200, 30) > 150, 'and not the name');
});

test('a file that cannot be masked is withheld with the reason, alone and in a ZIP, and never sent unmasked', async (office) => {
  const { build, asha, share, address, services } = office;
  const folder = await build.folder(asha.actor, 'KYC');
  const put = (name: string, content: string | Buffer) =>
    build.file(asha.actor, { name, content, parent_id: folder.id });
  const form = await put('Form.pdf', mixedPdf([[`Aadhaar ${SPACED}`]]));
  const list = await put('list.csv', `Name,Aadhaar\nRamesh,${PLAIN}\n`);
  const book = await put('book.xlsx', 'PK');
  const note = await put('note.txt', 'nothing');
  await readAll(office);
  const late = await put('late.pdf', pdf([['not read yet']]));
  const checkFolder = () =>
    services.sharing.links.check(asha.actor, { ids: [folder.id], open_locked: false, prepare: true });
  const check = await checkFolder();
  assert.equal([check.files, check.names[0]], [5, { name: 'book.xlsx', why: 'type' }]);
  assert.is(check.numbered, 1, 'the form is known to have a number before it is masked');
  // Masking goes on after the response; only the unread file stays waiting.
  await untilMasked(office, [folder.id], 1);
  assert.is((await checkFolder()).withheld, 2);
  assert.is((await checkFolder()).numbered, 2);
  const priya = recipient(office, address, (await share([folder.id], { mask_aadhaar: true })).url);
  for (const [{ id }, why] of [
    [list, 'number'],
    [book, 'type'],
    [late, 'waiting'],
  ] as const) {
    assert.match(await priya.send(`/download/${id}`), why === 'waiting' ? 'said=preparing' : 'said=withheld');
    const page = await priya.file(id);
    assert.is(page.state === 'file' && page.why, why === 'waiting' ? 'waiting' : 'withheld', why);
    const shown = await priya.get(`/pages/${id}/1`);
    assert.is(shown.status >= 400, true);
  }
  const listed = await priya.page();
  const said =
    listed.state === 'open' && Object.fromEntries(listed.items.map((one) => [one.name, one.withheld]));
  assert.equal(said, {
    'book.xlsx': 'type',
    'Form.pdf': null,
    'late.pdf': 'waiting',
    'list.csv': 'number',
    'note.txt': null,
  });
  const zip = Buffer.from(await (await priya.download('all'))!.arrayBuffer());
  assert.not.match(zip.toString('latin1'), NUMBER);
  const entries = [];
  for await (const entry of (await yauzl.fromBufferPromise(zip)).eachEntry()) entries.push(entry.fileName);
  assert.equal(entries.toSorted(), [
    'KYC/',
    'KYC/Form (Aadhaar covered).pdf',
    'KYC/note.txt',
    'NOT INCLUDED.txt',
  ]);
  assert.match(zip.toString('latin1'), 'KYC/book.xlsx\r\nKYC/late.pdf\r\nKYC/list.csv');
  assert.ok([form, note].every(({ id }) => id > 0));
});

test('after a file is read again its masked copy is made again, since more numbers may be recognised by then', async (office) => {
  const { build, asha, share, address, services } = office;
  const { id } = await build.file(asha.actor, { name: 'a.pdf', content: mixedPdf([[`UID ${SPACED}`]]) });
  await readAll(office);
  await untilMasked(office, [id]);
  const priya = recipient(office, address, (await share([id], { mask_aadhaar: true })).url);
  assert.ok(await priya.download(id));
  await services.reading.readAgain(asha.actor, id);
  await readAll(office);
  const { sha256 } = await services.documents.openFile(asha.actor, id);
  assert.is(await office.db('renditions').where({ kind: 'masked pdf', sha256 }).first('page'), undefined);
  await untilMasked(office, [id]);
  assert.not.match(await (await priya.download(id))!.text(), NUMBER);
});

test.run();
