import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { hasNumber, mentionsAadhaar, numbersIn } from './numbers.ts';
import { maskAadhaar } from '#server/text/aadhaar.ts';

/** An Aadhaar number with a valid check digit, and a virtual ID of 16 digits. */
const [NUMBER, VID] = ['234567890124', '9123456789012346'];

/** A page on which each character is ten units wide, and each line a hundred units below the one before. */
function page(text: string, more: { sure?: number[] } = {}) {
  const boxes: number[] = [];
  for (const [line, words] of text.split('\n').entries())
    for (const match of words.matchAll(/\S+/g))
      boxes.push(match.index * 10, line * 100, match[0].length * 10, 20);
  return { text, boxes, ...more };
}
const ends = (text: string, more = {}): string[] => numbersIn(page(text, more)).map(({ end }) => end);
const grouped = (digits: string, by: string): string => digits.match(/.{4}/g)!.join(by);

test('an Aadhaar number is found with any separators, with a box for each digit, and in Devanagari digits', () => {
  for (const by of [' ', '-', ' - ', '\n', '.', ''])
    assert.equal(ends(`Name\n${grouped(NUMBER, by)} x`), ['0124'], JSON.stringify(by));
  assert.equal(ends([...NUMBER].join(' ')), ['0124'], 'a box for each digit');
  assert.equal(ends(`आधार ${'२३४५ ६७८९ ०१२४'}`), ['0124'], 'in the digits of Hindi');
  assert.equal(ends(`UID:${NUMBER}`), ['0124']);
});

test('a number is found where a letter, a low line or any kind of dash follows a digit, since people and programs write it so', () => {
  for (const text of [
    'Aadhaar No: 2345 6789 0124S/O Ramesh',
    'Aadhaar No: 234567890124DOB 1990',
    'Aadhaar No: 234567890124Xavier D’Souza',
    'DOB 01/01/1990 2345 6789 0124W/O Suresh',
    'आधार 234567890124है',
    'आधार २३४५६७८९०१२४है',
    'aadhaar_2345_6789_0124',
    'aadhaar_no_234567890124_front',
    'uid_234567890124',
    'Aadhaar XXXX XXXX 0124S/O Ramesh',
  ])
    assert.equal(ends(text), ['0124'], text);
  for (const dash of '-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\uff0d\u00ad\u200b\u2060')
    assert.equal(ends(`Aadhaar ${grouped(NUMBER, dash)}`), ['0124'], dash.codePointAt(0)!.toString(16));
  assert.equal(ends(`VID ${grouped(VID, ' ')}of Meera`), ['2346']);
});

test('a number that is already masked in the stored text is found by its last four digits', () => {
  const { text } = maskAadhaar(`Aadhaar ${grouped(NUMBER, ' ')} and ${NUMBER}`);
  assert.not.match(text, '2345');
  assert.equal(ends(text), ['0124', '0124']);
});

test('a virtual ID of 16 digits is found after the label VID, and twelve of its digits are covered', () => {
  assert.equal(ends(`VID : ${grouped(VID, ' ')}`), ['2346']);
  assert.equal(ends(`VID ${VID}`), ['2346']);
  const [{ boxes } = { boxes: [] }] = numbersIn(page(`VID ${grouped(VID, ' ')}`));
  assert.is(boxes.length, 3, 'twelve of them are covered');
});

test('on a card or after the word Aadhaar a number with a wrong check digit is found too, since OCR may have misread a digit', () => {
  const sure = [90, 90, 90, 90, 90];
  assert.equal(ends('Government of India\n2345 6789 0125', { sure }), ['0125']);
  assert.equal(ends('Government of India\n2345 67B9 O125', { sure }), ['0125']);
  assert.equal(ends('Aadhaar of the partner 2345 6789 0125'), ['0125']);
});

test('years, amounts, account numbers and payment references are not taken for Aadhaar numbers', () => {
  for (const text of [
    '2022 2023 2024',
    'Balance 12,34,567.00 89,012.00',
    'A/c 50100234567890',
    'UPI/234567890124/Rent',
    'NEFT-234567890124-HDFC',
    'PAN ABCPS1234K 12345',
    'Ref 234567890124ICICI',
    'Flat 2345A 6789 0124',
    ['234567890124', '345678901238', '456789012341', '567890123458'].join('\nUTR '),
    'Card 4111 1111 1111 1111',
  ])
    assert.equal(ends(text), [], text);
  assert.equal(ends('Enclosed: Aadhaar. FY 2022 2023 2024'), []);
});

test('all digits except the last four are covered, in each word of the number', () => {
  const [apart] = numbersIn(page(`No ${grouped(NUMBER, ' ')}`));
  assert.is(apart!.boxes.length, 2);
  assert.ok(apart!.boxes[0]![0] <= 30 && apart!.boxes[1]![2] >= 120, 'the first eight');
  assert.ok(apart!.boxes[1]![2] < 130, 'and nothing of the last four');
  const [whole] = numbersIn(page(`No ${NUMBER}`));
  assert.is(whole!.boxes.length, 1);
  assert.ok(whole!.boxes[0]![2] >= 110 && whole!.boxes[0]![2] < 120);
  const [lines] = numbersIn(page('Aadhaar 2345\n6789 0124'));
  assert.equal(
    lines!.boxes.map(([, top]) => Math.round(top / 100)),
    [0, 1],
  );
});

test('a number whose words have no position is still reported, so that the page is withheld', () => {
  const [found] = numbersIn({ text: `Aadhaar ${NUMBER}`, boxes: [] });
  assert.equal([found!.boxes, found!.end], [[], '0124']);
  assert.ok(mentionsAadhaar('मेरा आधार'));
});

test('whether a page has a number is told without a box for each, since a list of thousands would keep everybody waiting', () => {
  const { text, boxes: all } = page(`${grouped(NUMBER, ' ')}\n`.repeat(3000));
  const boxes = new Proxy(all, { get: () => assert.unreachable('no box is looked up') });
  assert.ok(hasNumber({ text, boxes }, false));
  assert.not(hasNumber({ text: 'No number', boxes }, false));
});

test.run();
