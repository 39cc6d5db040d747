import type { Dice } from './random.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

function mod36(first: string): string {
  let sum = 0;
  for (let index = 0; index < 14; index += 1) {
    const product = ALPHABET.indexOf(first[index]!) * (index % 2 === 1 ? 2 : 1);
    sum += Math.floor(product / 36) + (product % 36);
  }
  return ALPHABET[(36 - (sum % 36)) % 36]!;
}

const D = [
  '0123456789',
  '1234067895',
  '2340178956',
  '3401289567',
  '4012395678',
  '5987604321',
  '6598710432',
].concat(['7659821043', '8765932104', '9876543210']);
const P = [
  '0123456789',
  '1576283094',
  '5803796142',
  '8916043527',
  '9453126870',
  '4286573901',
  '2793806415',
  '7046913258',
];

function verhoeff(first: string): string {
  let check = 0;
  [...first]
    .toReversed()
    .forEach((digit, index) => (check = Number(D[check]![Number(P[(index + 1) % 8]![Number(digit)])])));
  return String([0, 4, 3, 2, 1, 5, 6, 7, 8, 9][check]);
}

const STATES: readonly [code: string, short: string, name: string, city: string, pin: string][] = [
  ['27', 'MH', 'Maharashtra', 'Nagpur', '440010'],
  ['29', 'KA', 'Karnataka', 'Mysuru', '570001'],
  ['33', 'TN', 'Tamil Nadu', 'Coimbatore', '641012'],
  ['24', 'GJ', 'Gujarat', 'Rajkot', '360002'],
  ['07', 'DL', 'Delhi', 'New Delhi', '110019'],
  ['19', 'WB', 'West Bengal', 'Howrah', '711101'],
  ['08', 'RJ', 'Rajasthan', 'Jodhpur', '342003'],
  ['32', 'KL', 'Kerala', 'Kozhikode', '673004'],
];

const FIRST =
  'Nandini,Harpreet,Imran,Lakshmi,Tejas,Ashwini,Joseph,Farida,Vikram,Sushila,Bhavesh,Chitra,Devendra,Gurmeet'.split(
    ',',
  );
const LAST =
  'Deshpande,Gill,Qureshi,Subramanian,Vora,Kulkarni,Thomas,Merchant,Rathore,Banerjee,Chheda,Nair,Yadav,Saxena'.split(
    ',',
  );
const TRADES =
  'Ferro Alloys,Agro Foods,Textile Mills,Infra Projects,Polymers,Ceramics,Logistics,Pharma,Electricals,Spices'.split(
    ',',
  );
const STREETS =
  'Station Road,Nehru Marg,M.G. Road,Industrial Estate Phase II,Gandhi Chowk,Ring Road,Lake View Colony'.split(
    ',',
  );

export interface Party {
  name: string;
  pan: string;
  gstin: string;
  state: (typeof STATES)[number];
  address: string;
}

export const person = (dice: Dice): string => `${dice.pick(FIRST)} ${dice.pick(LAST)}`;

const pan = (dice: Dice, kind: string, initial: string): string =>
  `${dice.letters(3)}${kind}${initial.toUpperCase()}${String(dice.int(1, 9999)).padStart(4, '0')}${dice.letters(1)}`;

function party(dice: Dice, name: string, number: string): Party {
  const state = dice.pick(STATES);
  const gstin = `${state[0]}${number}1Z`;
  const address = `${dice.int(1, 240)}, ${dice.pick(STREETS)}, ${state[3]} - ${state[4]}, ${state[2]}`;
  return { name, pan: number, gstin: gstin + mod36(gstin), state, address };
}

/** A client whose paper is made: the first party of its kind is that client. */
let cast: { party: Party; kind: 'company' | 'individual'; used: boolean } | null = null;

/** Makes a paper of a client. @returns null where its layout has no place for such a client. */
export function of<T>(party: Party, make: () => T): T | null {
  cast = { party, kind: party.pan[3] === 'P' ? 'individual' : 'company', used: false };
  try {
    const value = make();
    return cast.used ? value : null;
  } finally {
    cast = null;
  }
}

function casted(kind: 'company' | 'individual', fits: (party: Party) => boolean = () => true): Party | null {
  if (!cast || cast.used || cast.kind !== kind || !fits(cast.party)) return null;
  cast.used = true;
  return cast.party;
}

export function company(dice: Dice): Party {
  const client = casted('company');
  if (client) return client;
  const last = dice.pick(LAST);
  const [form, kind] = dice.pick([
    ['Private Limited', 'C'],
    ['Limited', 'C'],
    ['LLP', 'F'],
    ['& Sons', 'F'],
    ['Enterprises', 'F'],
  ]);
  const name = `${last} ${dice.pick(TRADES)} ${form}`;
  return party(dice, name, pan(dice, kind!, last[0]!));
}

export function limited(dice: Dice): Party {
  const client = casted('company', ({ name }) => name.endsWith('Private Limited'));
  if (client) return client;
  const last = dice.pick(LAST);
  return party(dice, `${last} ${dice.pick(TRADES)} Private Limited`, pan(dice, 'C', last[0]!));
}

export function individual(dice: Dice): Party {
  const client = casted('individual');
  if (client) return client;
  const name = person(dice);
  return party(dice, name, pan(dice, 'P', name.split(' ')[1]![0]!));
}

export const tan = (dice: Dice, name: string): string =>
  `${dice.pick(['MUM', 'DEL', 'BLR', 'CHE', 'PNE', 'AHM', 'NGP', 'RTK'])}${name[0]!.toUpperCase()}${dice.digits(5)}${dice.letters(1)}`;
export const aadhaar = (dice: Dice): string => {
  const first = `${dice.int(2, 9)}${dice.digits(10)}`;
  return first + verhoeff(first);
};
export const arn = (dice: Dice, state: string, month: string): string => {
  const first = `A${dice.letters(1)}${state}${month}${dice.digits(6)}`;
  return first + mod36(first);
};
export const cin = (dice: Dice, state: string): string =>
  `U${dice.digits(5)}${state}${dice.int(1985, 2024)}PTC${dice.digits(6)}`;
export const udin = (dice: Dice, mrn: string, year: string): string =>
  `${year}${mrn}${dice.letters(6)}${dice.digits(4)}`;
export const frn = (dice: Dice): string => `${dice.digits(6)}${dice.pick(['N', 'S', 'E', 'W', 'C'])}`;
export const hex64 = (dice: Dice): string =>
  Array.from({ length: 64 }, () => dice.pick([...'0123456789abcdef'])).join('');
