import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DEFAULT_FILTERS, addressOf, parseFilters, isFiltered, queryOf, searchOf } from './filters.ts';
import { periods } from '../../lib/periods.ts';

const test = suite('filters of all files');
const filtersOf = (query: string) => parseFilters(new URL(`http://x/documents?${query}`));

test('filters written to a URL are read back unchanged', () => {
  const filters = {
    ...DEFAULT_FILTERS,
    search: 'gst 3b',
    group: 'pdf' as const,
    client: '7',
    clientName: 'Rao & Sons',
    from: '2025-04-01',
  };
  const address = addressOf(filters);
  assert.equal(parseFilters(new URL(address, 'http://x')), filters);
  assert.is(addressOf(DEFAULT_FILTERS), '/documents');
  assert.is(addressOf(DEFAULT_FILTERS, 5), '/documents?preview=5');
  assert.ok(isFiltered(filters));
  assert.not(isFiltered({ ...DEFAULT_FILTERS, sort: 'size' }));
});

test('invalid parameters of a URL are ignored', () => {
  assert.equal(
    filtersOf('group=__proto__&client=x&owner=-1&from=2026-13-45&to=abc&sort=evil&direction=up'),
    DEFAULT_FILTERS,
  );
  assert.equal(queryOf(DEFAULT_FILTERS), { sort: 'modified', direction: 'desc' });
});

test('financial years run from April to March, in the time zone of India', () => {
  const labels = (iso: string) =>
    periods(Date.parse(iso))
      .map(({ label }) => label)
      .slice(2)
      .join();
  assert.is(labels('2026-11-20T10:00:00Z'), 'FY 2026-27,FY 2025-26,FY 2024-25');
  assert.is(labels('2027-03-31T10:00:00Z'), 'FY 2026-27,FY 2025-26,FY 2024-25');
  assert.is(labels('2027-03-31T20:00:00Z'), 'FY 2027-28,FY 2026-27,FY 2025-26');
  const [week, , year] = periods(Date.parse('2026-11-20T10:00:00Z'));
  assert.equal([week?.from, year?.from, year?.to], ['2026-11-14', '2026-04-01', '2027-03-31']);
});

test('the filters of the list also restrict the search inside documents, as typed filters do', () => {
  const owners = [{ value: 7, label: 'Asha Rao' }];
  const search = (query: string) => searchOf(filtersOf(query), owners);
  assert.is(
    search(
      'search=gratuity&client=3&clientName=Sharma+Traders&owner=7&group=pdf&from=2026-04-01&to=2027-03-31',
    ),
    'client:"Sharma Traders" type:pdf from:"Asha Rao" after:2026-04-01 before:2027-04-01 gratuity',
  );
  assert.is(search('search=gratuity&client=none'), 'client:none gratuity');
  assert.is(search('client=none'), null, 'without words nothing is searched');
  assert.is(search('search=gratuity&label=4'), null, 'no filter for labels can be typed');
  assert.is(search('search=gratuity&owner=8'), null, 'not a user of this firm');
});

test.run();
