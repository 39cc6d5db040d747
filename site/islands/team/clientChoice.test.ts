import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NOTHING, searchAvailable, withoutDeleted } from './clientChoice.ts';

const test = suite('choosing the clients that a user can see');

const available = {
  clients: ['Agarwal Steel', 'Rao Sons', 'Rao Traders', 'Sharma Traders'].map((label, index) => ({
    value: index + 1,
    label,
  })),
  groups: [
    { name: 'Audit', clients: 2 },
    { name: 'Rao family', clients: 2 },
  ],
};
const labels = (text: string, first = NOTHING, most = 50) => {
  const { clients, groups, more } = searchAvailable(available, text, first, most);
  return [groups.map(({ name }) => name), clients.map(({ label }) => label), more];
};

test('typed words are matched in any order, in the names of clients and of groups', () => {
  assert.equal(labels('traders rao'), [[], ['Rao Traders'], 0]);
  assert.equal(labels('RAO'), [['Rao family'], ['Rao Sons', 'Rao Traders'], 0]);
});

test('clients are found without the accents and apostrophes of their names, and those of one name by what tells them apart', () => {
  const clients = [
    { value: 1, label: 'José D’Souza' },
    { value: 2, label: 'Gupta & Gupta', note: 'Pune · AAAFZ0000A' },
    { value: 3, label: 'Gupta & Gupta', note: 'Nashik' },
  ];
  const found = (text: string) =>
    searchAvailable({ clients, groups: [] }, text, NOTHING, 50).clients.map(({ value }) => value);
  assert.equal(found('jose dsouza'), [1]);
  assert.equal(found('gupta and gupta'), [2, 3]);
  assert.equal(found('Gupta &'), [2, 3]);
  assert.equal(found('gupta nashik'), [3]);
});

test('clients and groups chosen before are all listed first, and the others are listed up to a limit and counted', () => {
  const first = { clients: [4], groups: ['Rao family'] };
  assert.equal(labels('', first, 2), [['Rao family', 'Audit'], ['Sharma Traders', 'Agarwal Steel'], 2]);
  assert.equal(labels('', { clients: [2, 3, 4], groups: [] }, 1)[1], [
    'Rao Sons',
    'Rao Traders',
    'Sharma Traders',
  ]);
});

test('clients and groups deleted meanwhile are deselected, so that the rest can be saved', () => {
  assert.equal(withoutDeleted({ clients: [2, 99], groups: ['Audit', 'Gone'] }, available), {
    clients: [2],
    groups: ['Audit'],
  });
});

test.run();
