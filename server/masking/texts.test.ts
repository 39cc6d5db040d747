import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { checkText } from './cover.ts';

const NUMBER = '234567890124';
const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');

test('a text in an encoding that it does not name is withheld, since the digits of a number are not recognised in it', () => {
  const text = `Name,Aadhaar\nRamesh,${NUMBER}\n`;
  for (const bytes of [utf16(text), utf16(text).swap16(), utf16(`Ramesh ${NUMBER}`)])
    assert.equal(checkText(bytes), { withheld: 'unknown' });
  assert.equal(checkText(utf16(`\ufeff${text}`)), { withheld: 'number' });
  assert.equal(checkText(utf16('\ufeffNothing')), { clear: true });
});

test('a number is found across tags, also where attributes and text have angle brackets of their own', () => {
  for (const text of [
    `<td>2345</td><td>6789</td><td>0124</td>`,
    `2345<a title="<">6789</a> 0124 < 1`,
    `a < b <b>2345</b><b>6789 0124`,
    `&#50;345 6789 0124`,
    `2345&nbsp;6789&NBSP;0124`,
    `2345&nbsp 6789&nbsp 0124`,
    `2345&nbsp;&nbsp; 6789&#8203;0124`,
    `2345\u200b6789\u00ad0124`,
    `2345&ndash;6789&minus;0124`,
    `Aadhaar No: 2345 6789 0124S/O Ramesh`,
    `Aadhaar No: 234567890124DOB 1990`,
    `आधार 234567890124है`,
    `Aadhaar 2345\u20116789\u20110124`,
    `{ "aadhaar_2345_6789_0124": true }`,
    `<tr>\n      <td>2345</td>\n      <td>6789</td>\n      <td>0124</td>`,
  ])
    assert.equal(checkText(Buffer.from(text)), { withheld: 'number' }, text);
  assert.equal(checkText(Buffer.from('<td>2345</td><td>6789</td>')), { clear: true });
});

test('a text of nothing but angle brackets or numbers is checked in no time, since one text at a time is checked for all firms', () => {
  const begun = process.cpuUsage();
  assert.equal(checkText(Buffer.alloc(1_000_000, '<')), { clear: true });
  assert.equal(checkText(Buffer.from(`x${'<'.repeat(500_000)}>${'<'.repeat(500_000)}`)), { clear: true });
  assert.equal(checkText(Buffer.alloc(1_000_000, `Aadhaar ${NUMBER}\n`)), { withheld: 'number' });
  const { user, system } = process.cpuUsage(begun);
  assert.ok(user + system < 10e6, 'microseconds of processor');
});

test.run();
