import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mod36 } from '#server/text/check-digits.ts';
import { gstinError, isCin, isPan, isTan, normaliseIdentifier, panError, panOf } from './identifiers.ts';

const test = suite('identifiers');
const list = (text: string) => text.split(' ');

function holds(known: (text: string) => boolean, good: string, bad: string): void {
  for (const text of list(good)) assert.ok(known(text), text);
  for (const text of list(bad)) assert.not(known(text), text);
}

test('a PAN is validated by its format and its holder type letter', () => {
  holds(
    isPan,
    'AAAPZ0000A ZZZCZ0000Z AAAFZ0000B AAAHZ0000C AAATZ0000D',
    'AAADZ0000A AAAPZ000A AAAPZ00000 1AAPZ0000A AAAPZ0000AB',
  );
});

test('a PAN of the right form is refused for its fourth letter, or the message would ask for what is there', () => {
  assert.match(panError('ABCDE1234F') ?? '', 'fourth letter');
  assert.match(panError('ABCPE12345') ?? '', 'five letters, four digits');
  assert.is(panError('AAAPZ0000A'), null);
});

test('a GSTIN is validated by its format, state code and check digit', () => {
  holds(
    (text) => gstinError(text) === null,
    '27AAAPZ0000Q1ZL 29AAACZ0000A1Z5 07ZZZFZ0000Z1ZX 33AAAHZ0000B2Z3 09ZZZTZ0000C1ZB',
    '27AAAPZ0000Q1ZM 29AAACZ0000A1Z6 07ZZZFZ0000Z1ZY 00AAAPZ0000Q1Z5 39AAAPZ0000Q1Z5 27AAAPZ0000Q1Z',
  );
  assert.is(mod36('27AAPFU0939F1Z'), 'V');
});

test('any single wrong character in a GSTIN is detected', () => {
  const good = '27AAAPZ0000Q1ZL';
  for (let index = 0; index < good.length; index += 1) {
    for (const other of '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ') {
      if (other !== good[index])
        assert.ok(gstinError(good.slice(0, index) + other + good.slice(index + 1)), `${index} ${other}`);
    }
  }
});

test('TAN, CIN and LLPIN are validated by their format', () => {
  holds(
    isTan,
    'DELZ00000A MUMZ00000B BLRZ00000C CHEZ00000D PNEZ00000E',
    'DEL00000AZ DELZ0000A DELZ000000 DELZ00000AB DE1Z00000A',
  );
  holds(
    isCin,
    'U00000MH2020PTC000000 L00000DL1999PLC000000 U00000KA2018OPC000000 AAA-0000 ZZZ-0000',
    'X00000MH2020PTC000000 U0000MH2020PTC000000 U00000MH2020PVT000000 U00000MH1720PTC000000 AA-0000 AAAA-0000 AAA0000',
  );
});

test('identifiers are normalised: capitals, no spaces, ASCII characters', () => {
  assert.is(normaliseIdentifier(' aaapz 0000 a\u200b'), 'AAAPZ0000A');
  assert.is(normaliseIdentifier('aaa–0000'), 'AAA-0000');
  assert.is(normaliseIdentifier('ＡＡＡＰＺ００００Ａ'), 'AAAPZ0000A');
});

test('the PAN of its owner is read from a GSTIN', () => {
  assert.is(panOf('29AAACZ0000A1Z5'), 'AAACZ0000A');
  assert.is(panOf('29AAAC'), null);
});

test.run();
