import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { identifiersAfter, partyName } from './party-name.ts';

test('a name ends before the identifiers and the address on its line, or no client would have that name', () => {
  for (const [line, name] of [
    ['MEHTA AND SONS GSTIN: 27AABCM1234D1Z5 PAN AABCM1234D', 'MEHTA AND SONS'],
    ['Sharma Traders, GSTIN 27AAPFS1234K1ZA', 'Sharma Traders'],
    ['Sharma Traders (PAN: AAPFS1234K)', 'Sharma Traders'],
    ['Sharma Traders - 27AAPFS1234K1ZA', 'Sharma Traders'],
    ['Sharma Traders, 12, Station Road, Pune', 'Sharma Traders'],
    ['Desai Mills Private Limited, Chennai', 'Desai Mills Private Limited'],
  ] as const)
    assert.is(partyName(line), name);
});

test('what belongs to a name stays in it', () => {
  for (const name of [
    'Pan India Logistics',
    'Tan Leather Works',
    'Shah, Mehta & Co.',
    'Studio 1900',
    'Sharma Traders, Pune',
    '3M India Limited',
    'PAN Foods - Agro Products',
  ])
    assert.is(partyName(name), name);
});

test('under a label for name and address a town is no part of the name', () => {
  assert.is(partyName('MEERA IYER, Chennai', true), 'MEERA IYER');
  assert.is(partyName('Desai Tools, Pvt. Ltd.', true), 'Desai Tools, Pvt. Ltd.');
  assert.is(partyName('Shah, Mehta & Co.', true), 'Shah, Mehta & Co.');
});

test('a name with very many dashes or brackets behind it takes no longer than others, since files may be hostile', () => {
  for (const sign of ['- ', '(', ', ', '|', 'A|'])
    assert.is(identifiersAfter(`Rao${sign.repeat(200_000)}x`), undefined);
  assert.is(identifiersAfter('Rao Traders, - (GSTIN'), 'Rao Traders'.length);
});

test.run();
