import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isGstin } from './contract.ts';
import { yearInNumber } from './numbers.ts';
import { taxesIn } from './tax.ts';
import { inWords } from './words.ts';

test('for every price in whole rupees, taxable value, taxes and rounding add up to the price to the paisa', () => {
  for (let price = 1; price <= 60_000; price++) {
    for (const place of ['27', '29']) {
      const { taxable_paise, taxes, rounding_paise } = taxesIn(price * 100, '27', place);
      const sum = taxes.reduce((all, { paise }) => all + paise, taxable_paise + rounding_paise);
      if (sum !== price * 100 || Math.abs(rounding_paise) > 1) assert.unreachable(`₹${price} in ${place}`);
      for (const { paise, percent } of taxes) {
        // Each tax is rounded separately, half a paisa up.
        if (Math.abs(paise * 100 - taxable_paise * percent) > 50) assert.unreachable(`₹${price}: ${paise}`);
      }
    }
  }
});

test('CGST and SGST are always equal', () => {
  for (const total of [99_900, 1_999_900, 4_999_900, 100]) {
    const [central, state] = taxesIn(total, '27', '27').taxes;
    assert.equal([central!.name, state!.name], ['CGST', 'SGST']);
    assert.is(central!.paise, state!.paise);
  }
});

test('in a union territory without a legislature the tax is UTGST instead of SGST', () => {
  assert.equal(
    taxesIn(99_900, '04', '04').taxes.map(({ name }) => name),
    ['CGST', 'UTGST'],
  );
});

test('a GSTIN is accepted only with a correct check character, state code and format', () => {
  for (const good of ['27AAAPZ0000Q1ZL', '29AAACZ0000A1Z5', '07ZZZFZ0000Z1ZX', '33AAAHZ0000B2Z3'])
    assert.ok(isGstin(good), good);
  for (const bad of ['27AAAPZ0000Q1ZM', '00AAAPZ0000Q1Z5', '39AAAPZ0000Q1Z5', '27aaapz0000q1zl', ''])
    assert.not(isGstin(bad), bad);
});

test('the financial year in the number of an invoice changes at midnight of 1 April in India', () => {
  assert.is(yearInNumber(new Date('2027-03-31T18:29:59Z')), '26-27');
  assert.is(yearInNumber(new Date('2027-03-31T18:30:00Z')), '27-28');
  assert.is(yearInNumber(new Date('2099-12-01T00:00:00Z')), '99-00');
});

test('amounts in words use lakh and crore, as in India', () => {
  assert.is(inWords(1_999_900), 'Rupees Nineteen Thousand Nine Hundred Ninety-Nine Only');
  assert.is(inWords(10_000_050), 'Rupees One Lakh and Fifty Paise Only');
  assert.is(
    inWords(1_234_567_801),
    'Rupees One Crore Twenty-Three Lakh Forty-Five Thousand Six Hundred Seventy-Eight and One Paise Only',
  );
  assert.is(inWords(0), 'Rupees Zero Only');
});

test.run();
