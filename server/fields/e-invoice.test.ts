import { createHmac } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { readQrCodes } from '#server/reading/codes.ts';
import { eInvoice, LINES, portalKeys, SIGNED, token } from '#server/reading/testing/e-invoice.ts';
import { readAll } from '#server/reading/testing/office.ts';
import { rotate } from '#server/reading/ocr/raster.ts';
import { recognise } from '#server/recognition/recognise.ts';
import type { World } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';
import { encode } from 'uqr';
import { signatureOf } from './signatures.ts';

const { publicKey, privateKey } = portalKeys();
const other = portalKeys();
const keys = [
  { name: 'portal-2024', key: other.publicKey },
  { name: 'portal-2026', key: publicKey },
];

interface Office extends World {
  actor: Actor;
}
const test = suite<Office>('QR codes of e-invoices');
test.before(async (office) => {
  Object.assign(office, await freshWorld({ portalKeys: keys }));
  office.actor = await office.build.actor();
});
test.after((office) => office.close());

async function read({ build, services, actor, ...world }: Office, name: string, content: Buffer) {
  const { id } = await build.file(actor, { name, content });
  await readAll({ services, ...world } as Office);
  return services.fields.view(actor, id);
}
const without = (label: string) => LINES.filter((line) => !line.startsWith(label));

test('the view compares the QR code with the printed values, and names the key that verifies its signature', async (office) => {
  const view = await read(office, 'inv.pdf', await eInvoice(token(privateKey), without('Invoice No')));
  assert.is(view.type.value, 'e_invoice');
  assert.is(
    view.fields.filter(({ key }) => key === 'irn').length,
    1,
    'printed and in the code, it is one value',
  );
  const [code] = view.codes;
  assert.equal([code!.signature, code!.key, code!.page], ['checked', 'portal-2026', 1]);
  // Drawn at 410 and 40 points, 142 wide.
  for (const [index, wanted] of [4100, 400, 1420, 1420].entries())
    assert.ok(Math.abs(code!.box![index]! - wanted) < 60, `${code!.box}`);
  const inCode = Object.fromEntries(code!.said.map(({ key, value, same }) => [key, [value, same]]));
  assert.equal(inCode.total, ['11859050', true]);
  assert.equal(inCode.supplier_gstin, ['27AAAPZ0000Q1ZL', true]);
  const number = view.fields.find(({ key }) => key === 'invoice_no')!;
  assert.equal(
    [number.value, number.box, number.unsure],
    [SIGNED.DocNo, code!.box, false],
    'printed nowhere',
  );
  assert.is(view.fields.find(({ key }) => key === 'invoice_date')!.value, '2026-04-07');
});

test('a printed value that differs from the QR code is marked uncertain, so that a user checks it', async (office) => {
  const altered = LINES.map((line) =>
    line.replace('1,18,590.50', '1,81,590.50').replace('1,00,500.42', '1,63,500.42'),
  );
  const view = await read(office, 'altered.pdf', await eInvoice(token(privateKey), altered));
  const total = view.fields.find(({ key }) => key === 'total')!;
  assert.equal([total.value, total.unsure], ['18159050', true]);
  const inCode = view.codes[0]!.said.find(({ key }) => key === 'total')!;
  assert.equal([inCode.value, inCode.printed, inCode.same], ['11859050', '18159050', false]);
});

test('a signature counts as checked only if it is RS256 with a key of this server', async () => {
  const good = token(privateKey);
  const [head, , signature] = good.split('.') as [string, string, string];
  const forged = token(portalKeys().privateKey, { ...SIGNED, TotInvVal: 1 }).split('.')[1]!;
  const text = (header: object) => `${Buffer.from(JSON.stringify(header)).toString('base64url')}.${forged}`;
  const pem = publicKey.export({ type: 'spki', format: 'pem' });
  // A MAC made with the public key as its secret, which a careless check would accept.
  const hmac = `${text({ alg: 'HS256' })}.${createHmac('sha256', pem)
    .update(text({ alg: 'HS256' }))
    .digest('base64url')}`;
  assert.equal(signatureOf(good, keys), { signature: 'checked', key: 'portal-2026' });
  assert.equal(signatureOf(good, []), { signature: 'no_key', key: null });
  assert.is(signatureOf(`${head}.${forged}.${signature}`, keys).signature, 'mismatch');
  assert.is(signatureOf(good, keys.slice(0, 1)).signature, 'mismatch');
  assert.is(signatureOf(hmac, keys).signature, 'unsigned');
  assert.is(signatureOf(`${text({ alg: 'none' })}.${'A'.repeat(40)}`, keys).signature, 'unsigned');
  assert.is(signatureOf(`${text({ alg: 'none' })}.${'A'.repeat(40)}`, []).signature, 'unsigned');
});

test('other QR codes are ignored, since that of an Aadhaar letter contains the Aadhaar number', async () => {
  const picture = (text: string) => {
    const { data, size } = encode(text, { border: 25 });
    const side = size * 5;
    const pixels = Uint8Array.from({ length: side * side }, (_, index) =>
      data[Math.floor(index / side / 5)]![Math.floor((index % side) / 5)] ? 30 : 240,
    );
    return { data: pixels, width: side, height: side };
  };
  assert.is(
    (await readQrCodes(rotate(picture(token(privateKey)), 0.2), 1)).length,
    1,
    'also when the page is rotated',
  );
  assert.equal(await readQrCodes(picture('<PrintLetterBarcodeData uid="999941057058" name="A B"/>'), 1), []);
  assert.equal(await readQrCodes(picture('upi://pay?pa=shop@okbank&am=100'), 1), []);
});

test('on a scan the QR code corrects misread values, and supplies the values of a page without text', () => {
  const page = { page: 1, label: '', sure: [60] };
  const codes = [{ text: token(privateKey), box: [10, 10, 100, 100] as const }];
  const bare = recognise([{ ...page, text: '', codes }], { fileType: 'jpg' });
  assert.is(bare.type, 'e_invoice');
  assert.is(bare.fields.find(({ key }) => key === 'buyer_gstin')!.value, SIGNED.BuyerGstin);
  const misread = without('Invoice total').join('\n').replace('27AAAPZ0000Q1ZL', '27AAAPZ0000Q1Z1');
  const fields = recognise([{ ...page, text: misread, codes }], { fileType: 'jpg' }).fields;
  const gstin = fields.filter(({ key }) => key === 'supplier_gstin');
  assert.equal(
    gstin.map(({ value, check }) => [value, check]),
    [[SIGNED.SellerGstin, 'checksum']],
  );
});

test('a malformed QR code is ignored, and the page is recognised without it', () => {
  const malformed = [
    Buffer.from('[]').toString('base64url'),
    Buffer.from('{"data":"{\\"Irn\\":7"}').toString('base64url'),
    Buffer.from(
      JSON.stringify({ data: JSON.stringify({ Irn: 'x', TotInvVal: '1e999', DocDt: '99/99/2026' }) }),
    ).toString('base64url'),
  ];
  for (const payload of malformed) {
    const text = `${'A'.repeat(20)}.${payload.padEnd(24, 'A')}.${'B'.repeat(40)}`;
    const recognised = recognise(
      [{ page: 1, label: '', text: 'A note', codes: [{ text, box: [0, 0, 1, 1] }] }],
      {
        fileType: 'pdf',
      },
    );
    assert.equal(recognised.codes, []);
  }
});

test.run();
