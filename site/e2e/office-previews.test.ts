import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as assert from 'uvu/assert';
import { heic } from '#server/previews/testing/heic.ts';
import { attached, eml } from '#server/previews/testing/mails.ts';
import { docx, drawing, encrypted, paragraph, run, workbook } from '#server/previews/testing/office.ts';
import { violations } from './axe.ts';
import { clickButton, enterDrive, openByName, press, selectedNames, visit } from './drive.ts';
import type { Office } from './office.ts';
import { officeSuite, waitForText, waitForValue } from './office.ts';

const test = officeSuite('previews of office files');

const add = async ({ world, asha }: Office, name: string, content: Buffer | string) =>
  (await world.build.file(asha.actor, { name, content })).id;
const cellAt = (row: number, column: number) => `[data-cell="${row} ${column}"]`;
/** The document inside the frame of the preview, once it is loaded. */
async function documentFrame({ page }: Office) {
  const frame = await (await page.waitForSelector('iframe.office-frame'))!.contentFrame();
  await frame.waitForSelector('body.document, body.mail');
  return frame;
}

test('a workbook shows its sheets as tabs and its numbers in their format, and the arrow keys lead to other files', async (office) => {
  const { page } = office;
  const rows =
    '<row r="1"><c r="A1" t="inlineStr"><is><t>Closing balance of Sharma Traders</t></is></c></row>' +
    '<row r="2"><c r="A2" t="inlineStr"><is><t>Cash</t></is></c><c r="B2" s="1"><v>1234567.5</v></c></row>';
  const secondSheet = '<row r="1"><c r="A1" t="inlineStr"><is><t>Second sheet</t></is></c></row>';
  await add(
    office,
    '1 Ledger.xlsx',
    workbook({ Ledger: { rows }, GST: { rows: secondSheet } }, ['#,##,##0.00']),
  );
  await add(office, '2 List.csv', `No,Name\n${'1,Sharma\n'.repeat(6000)}`);
  await enterDrive(office);
  await openByName(page, '1 Ledger.xlsx');
  await page.waitForFunction(
    (selector) => document.querySelector(selector)?.textContent === '12,34,567.50',
    {},
    cellAt(1, 1),
  );
  await page.locator(cellAt(1, 1)).click();
  await waitForText(page, 'B2');
  await page.locator('::-p-xpath(//*[@role="tab"][.="Ledger"])').click();
  await press(page, 'ArrowRight');
  await waitForText(page, 'Second sheet');
  await page.waitForSelector('[role="tab"][aria-selected="true"]::-p-text(GST)');
  assert.is(await page.$eval('[role="tabpanel"]', (panel) => panel.textContent.includes('Cash')), false);
  await page.focus('.sheet-scroller');
  await press(page, 'ArrowRight');
  await waitForText(page, 'These are the first 5,000 of 6,001 rows');
  assert.ok((await page.$$('[role="row"]')).length < 120, 'only rows near the viewport are drawn');
  await page.$eval('.sheet-scroller', (box) => (box.scrollTop = 28 * 4000));
  await page.waitForSelector(cellAt(4000, 1));
  await press(page, 'ArrowLeft');
  await page.waitForSelector(cellAt(1, 1));
});

test('a sheet behind one that fills all that is shown is not called empty', async (office) => {
  const { page } = office;
  const cell = (row: number, text: string) =>
    `<row r="${row}"><c r="A${row}" t="inlineStr"><is><t>${text}</t></is></c></row>`;
  const rows = Array.from({ length: 3100 }, (_, n) => cell(n + 1, 'x'.repeat(2000))).join('');
  const book = workbook({ Large: { rows }, Notes: { rows: cell(1, 'Due to audit') }, None: { rows: '' } });
  await add(office, 'Books.xlsx', book);
  await enterDrive(office);
  await openByName(page, 'Books.xlsx');
  await waitForText(page, 'of 3,100 rows');
  await page.locator('::-p-xpath(//*[@role="tab"][.="Notes"])').click();
  await waitForText(page, 'This sheet is not shown, since the sheets before it are so large.');
  assert.is(await page.$eval('[role="tabpanel"]', (panel) => /first 0|empty/.test(panel.textContent)), false);
  await page.locator('::-p-xpath(//*[@role="tab"][.="None"])').click();
  await waitForText(page, 'This sheet is empty.');
});

test('the header row of a table stays in sight, and titles above it are not cut', async (office) => {
  const { page } = office;
  const rows = '01-04-2026,NEFT Kumar Steel,"1,00,000.00"\n'.repeat(400);
  const id = await add(
    office,
    'a.csv',
    `Statement of account of Sharma Traders,,\nDate,Narration,Balance\n${rows}`,
  );
  await enterDrive(office);
  await visit(office, `/dashboard?preview=${id}`);
  const title = await page.waitForSelector(cellAt(0, 0));
  assert.is(await title!.evaluate((cell) => cell.scrollWidth > cell.clientWidth), false);
  const end = await title!.boundingBox();
  const under = await page.evaluate(
    (x, y) => document.elementFromPoint(x, y)?.textContent,
    end!.x + 200,
    end!.y + 10,
  );
  assert.is(under, 'Statement of account of Sharma Traders', 'no empty cell covers it');
  await page.$eval('.sheet-scroller', (box) => (box.scrollTop = 28 * 200));
  const pinned = await page.waitForSelector('.sheet-pinned');
  assert.match((await pinned!.evaluate((row) => row.textContent)) ?? '', 'DateNarrationBalance');
});

test('keys scroll a document before it is clicked, and after a click text can be selected and the keys of the preview still work', async (office) => {
  const { page } = office;
  await add(office, '1.html', `<p>Dear Sir</p>${'<p>Notice</p>'.repeat(200)}`);
  await add(office, '2.html', '<p>Second document</p>');
  await enterDrive(office);
  await openByName(page, '1.html');
  let frame = await documentFrame(office);
  const waitForScroll = () => frame.waitForFunction('scrollY > 0');
  await press(page, 'PageDown');
  await waitForScroll();
  await press(page, 'Home');
  await frame.waitForFunction('scrollY === 0');
  await (await frame.waitForSelector('::-p-text(Dear Sir)'))!.click({ count: 2, offset: { x: 12, y: 10 } });
  assert.is(await page.evaluate(() => document.activeElement?.tagName), 'IFRAME');
  assert.is(await frame.evaluate('getSelection().toString().trim()'), 'Dear');
  await press(page, 'ArrowRight');
  await page.waitForSelector('iframe[title="Content of 2.html"]');
  frame = await documentFrame(office);
  await (await frame.waitForSelector('::-p-text(Second document)'))!.click();
  await press(page, 'Escape');
  await page.waitForSelector('iframe.office-frame', { hidden: true });
});

test('a preview of each kind is accessible', async (office) => {
  const { page } = office;
  const rows = '<row r="1"><c r="A1"><v>5</v></c></row>';
  const mail = eml(
    ['From: Ravi <a@b.in>', 'To: c@d.in', 'Subject: x'],
    [
      { head: ['Content-Type: text/plain'], body: 'Dear Sir' },
      attached('a.pdf', 'application/pdf', Buffer.from('x')),
    ],
  );
  const kinds: [string, Buffer | string, string][] = [
    ['1.xlsx', workbook({ A: { rows }, B: { rows } }), '.sheet-scroller'],
    ['2.csv', 'Date,Amount\n1,5\n', '.sheet-scroller'],
    ['3.docx', docx(paragraph(run('Dear Sir'))), '.office-frame'],
    ['4.eml', mail, '.mail-attachment'],
    ['5.html', '<p>Dear Sir</p>', '.office-frame'],
    ['6.heic', heic(), '.viewer-image'],
    ['7.docx', 'no document', '[role="alert"]'],
    ['8.doc', 'x', '[role="alert"]'],
  ];
  for (const [name, content] of kinds) await add(office, name, content);
  await enterDrive(office);
  await openByName(page, kinds[0]![0]);
  for (const [name, , selector] of kinds) {
    if (name !== kinds[0]![0]) await press(page, 'ArrowRight');
    await page.waitForSelector(`[aria-label="Preview of ${name}"]`);
    await page.waitForSelector(selector);
    assert.equal(await violations(page), [], name);
  }
});

test('cells are selected by dragging over them, and copied as tab-separated text, as spreadsheets expect it', async (office) => {
  const { page } = office;
  const id = await add(office, 'a.csv', 'Date,Amount\n01-04-2026,"1,00,000.00"\n02-04-2026,5\n');
  await enterDrive(office);
  await visit(office, `/dashboard?preview=${id}`);
  const [from, to] = [await page.waitForSelector(cellAt(1, 0)), await page.waitForSelector(cellAt(2, 1))];
  const [start, end] = [await from!.clickablePoint(), await to!.clickablePoint()];
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move(end.x, end.y);
  await page.mouse.up();
  const copied = await page.evaluate(() => {
    const event = new ClipboardEvent('copy', { clipboardData: new DataTransfer(), bubbles: true });
    document.body.dispatchEvent(event);
    return event.clipboardData?.getData('text/plain');
  });
  assert.is(copied, '01-04-2026\t1,00,000.00\n02-04-2026\t5');
});

test('a file that is locked with a password, or cannot be read, says so and offers the download', async (office) => {
  const { page } = office;
  await add(office, '1 Locked.xlsx', encrypted('x'));
  await add(office, '2 Broken.docx', 'no document');
  await enterDrive(office);
  await openByName(page, '1 Locked.xlsx');
  await waitForText(page, 'This file is protected with a password');
  await press(page, 'ArrowRight');
  await waitForText(page, 'This file cannot be shown. Download it instead.');
  await page.waitForSelector('::-p-xpath(//*[@role="alert"]//button[.="Download"])');
});

test('a HEIC photo, as phones take them, is shown', async (office) => {
  const id = await add(office, 'IMG_0042.heic', heic());
  await enterDrive(office);
  await visit(office, `/dashboard?preview=${id}`);
  await office.page.waitForFunction(
    () => document.querySelector<HTMLImageElement>('.viewer-image')?.naturalWidth === 96,
  );
});

/** A server that records the requests which a hostile document sends to it. */
async function startForeignServer(): Promise<{ server: Server; address: string; requests: string[] }> {
  const requests: string[] = [];
  const server = createServer(({ url }, response) => {
    requests.push(url ?? '');
    response.end('recorded');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { server, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

test('hostile documents, e-mails and web pages run no scripts, send no requests and open no links', async (office) => {
  const { page } = office;
  const { server, address, requests } = await startForeignServer();
  page.expected.push(/violates the following Content Security Policy directive: "frame-src 'self'"/);
  try {
    const html = `<script>top.document.title='taken';fetch('${address}/script')</script>
      <img src="${address}/pixel" onerror="fetch('${address}/onerror')"><img src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><image href='${address}/svg'/></svg>">
      <svg onload="fetch('${address}/onload')"><image href="${address}/inline"/></svg><style>@import '${address}/css';</style>
      <p style="background:url(${address}/style)">Dear Sir</p><link rel="preconnect" href="${address}"><meta http-equiv="refresh" content="0;url=${address}/refresh">
      <iframe src="${address}/frame"></iframe><form action="${address}/form"><button>Send</button></form><a id="out" href="${address}/link" target="_top">Pay here</a>`;
    const word = paragraph(
      `${run('Dear Sir')}${drawing('r:link="rId1"')}<w:hyperlink r:id="rId2">${run('Pay here')}</w:hyperlink>`,
    );
    await add(
      office,
      '1.eml',
      eml(
        ['From: a@b.in', 'Subject: x'],
        [
          { head: ['Content-Type: text/html'], body: html },
          attached(
            'a.svg',
            'image/svg+xml',
            Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" onload="fetch('${address}/attached')"/>`),
          ),
        ],
      ),
    );
    await add(office, '2.html', html);
    await add(
      office,
      '3.docx',
      docx(word, {
        relations: { rId1: ['image', `${address}/word`], rId2: ['hyperlink', `${address}/link`] },
      }),
    );
    await enterDrive(office);
    await openByName(page, '1.eml');
    for (const name of ['1.eml', '2.html', '3.docx']) {
      await page.waitForSelector(`iframe[title="Content of ${name}"]`);
      const frame = await documentFrame(office);
      await frame.waitForSelector('::-p-xpath(//*[contains(., "Dear Sir")])');
      const box = await (await frame.waitForSelector('::-p-xpath(//a[.="Pay here"])'))!.boundingBox();
      await page.mouse.click(box!.x + 8, box!.y + 8);
      assert.is(page.url().startsWith(office.url), true);
      assert.match(frame.url(), '/view/body');
      assert.is(
        await page.$eval('iframe.office-frame', (frame) => frame.getAttribute('sandbox')),
        'allow-same-origin',
      );
      await page.mouse.move(300, 20);
      await press(page, 'ArrowRight');
    }
    // What the sanitiser misses would still be stopped by the sandbox of the frame and its policy.
    await add(office, '4.html', 'x');
    await page.evaluate((to) => {
      const frame = document.createElement('iframe');
      frame.sandbox.value = '';
      frame.src = `${to}/framed`;
      document.body.append(frame);
    }, address);
    await page.waitForNetworkIdle({ idleTime: 300 });
    assert.equal(requests, []);
    assert.not.match(await page.title(), /taken/);
  } finally {
    server.close();
  }
});

test('an e-mail shows its headers, and its attachments can be downloaded', async (office) => {
  const { page } = office;
  const content = eml(
    [
      'From: Ravi Sharma <ravi@sharma.in>',
      'To: asha@rao.in',
      'Subject: Form 16 for 2026-27',
      'Date: Wed, 01 Apr 2026 10:00:00 +0530',
    ],
    [
      { head: ['Content-Type: text/plain'], body: 'Please find it attached.' },
      attached('Form 16.pdf', 'application/pdf', Buffer.from('%PDF')),
    ],
  );
  const id = await add(office, 'mail.eml', content);
  await enterDrive(office);
  await visit(office, `/dashboard?preview=${id}`);
  await waitForText(page, 'Form 16 for 2026-27');
  await waitForText(page, 'Ravi Sharma <ravi@sharma.in>');
  await waitForText(page, 'Apr 1, 2026');
  await (
    await documentFrame(office)
  ).waitForSelector('::-p-xpath(//pre[contains(., "Please find it attached.")])');
  const link = await page.waitForSelector('[aria-label="Attachments"] a');
  const text = await link!.evaluate(async (a) => (await fetch((a as HTMLAnchorElement).href)).text());
  assert.is(text, '%PDF');
});

test('attachments of an e-mail are saved in its folder, one or all of them, and shown there selected', async (office) => {
  const { page, world, asha } = office;
  const folder = await world.build.folder(asha.actor, 'Notices');
  const files = ['Notice.pdf', 'Annexure.xlsx', 'setup.exe'];
  const content = eml(
    ['From: ravi@sharma.in', 'Subject: Notice under section 143(1)'],
    [
      { head: ['Content-Type: text/plain'], body: 'Attached.' },
      ...files.map((name) => attached(name, 'application/octet-stream', Buffer.from(name))),
    ],
  );
  const { id } = await world.build.file(asha.actor, { name: 'mail.eml', content, parent_id: folder.id });
  await enterDrive(office);
  await visit(office, `/dashboard/folder/${folder.id}?preview=${id}`);
  await page.locator('[aria-label="Save Notice.pdf to the folder"]').click();
  await waitForText(page, '“Notice.pdf” saved to Notices');
  await clickButton(page, 'Save all to folder');
  await waitForText(page, '1 attachment was not saved');
  await waitForText(page, 'File type "exe" is not supported');
  await clickButton(page, 'Close');
  await waitForText(page, '1 other was saved before.');
  const showSaved = '::-p-xpath(//li[contains(., "Annexure.xlsx")]//button[normalize-space()="Show"])';
  const selected = async () => (await selectedNames(page)).toSorted();
  await page.locator(showSaved).click();
  await page.waitForSelector('.preview-layer', { hidden: true });
  await waitForValue(selected, ['Annexure.xlsx', 'Notice.pdf']);

  const { documents } = world.services;
  const { items } = await documents.folder(asha.actor, folder.id);
  const idOf = (wanted: string) => items.find(({ name }) => name === wanted)!.id;
  await documents.remove(asha.actor, [idOf('Annexure.xlsx')]);
  await documents.move(asha.actor, { ids: [idOf('Notice.pdf')], parent_id: null });
  await visit(office, `/dashboard/folder/${folder.id}?preview=${id}`);
  await clickButton(page, 'Save all to folder');
  await clickButton(page, 'Close');
  await waitForText(page, '1 other was saved before.');
  await page.locator(showSaved).click();
  await waitForValue(selected, ['Annexure.xlsx'], 'where it was saved now, not where the other one is');
});

test.run();
