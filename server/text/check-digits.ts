/** The multiplication and permutation tables of Verhoeff's algorithm. */
// prettier-ignore
const MULTIPLICATION = [
  [0,1,2,3,4,5,6,7,8,9],[1,2,3,4,0,6,7,8,9,5],[2,3,4,0,1,7,8,9,5,6],[3,4,0,1,2,8,9,5,6,7],[4,0,1,2,3,9,5,6,7,8],
  [5,9,8,7,6,0,4,3,2,1],[6,5,9,8,7,1,0,4,3,2],[7,6,5,9,8,2,1,0,4,3],[8,7,6,5,9,3,2,1,0,4],[9,8,7,6,5,4,3,2,1,0],
];
// prettier-ignore
const PERMUTATION = [
  [0,1,2,3,4,5,6,7,8,9],[1,5,7,6,2,8,3,0,9,4],[5,8,0,3,7,9,6,1,4,2],[8,9,1,6,0,4,3,5,2,7],
  [9,4,5,3,1,2,6,8,7,0],[4,2,8,6,5,7,3,9,0,1],[2,7,9,3,8,0,6,4,1,5],[7,0,4,6,9,1,3,2,5,8],
];

/** Whether the last digit is the Verhoeff check digit of the others, as in an Aadhaar number. @param digits ASCII. */
export function verhoeffHolds(digits: string): boolean {
  let check = 0;
  for (let index = 0; index < digits.length; index += 1)
    check = MULTIPLICATION[check]![PERMUTATION[index % 8]![Number(digits[digits.length - 1 - index])]!]!;
  return check === 0;
}

const SIGNS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** The check character of a GSTIN or an ARN (weights 1 and 2, modulo 36), from the fourteen characters before it. */
export function mod36(fourteen: string): string {
  let sum = 0;
  for (let index = 0; index < 14; index += 1) {
    const product = SIGNS.indexOf(fourteen[index] ?? '0') * (index % 2 === 0 ? 1 : 2);
    sum += Math.floor(product / 36) + (product % 36);
  }
  return SIGNS[(36 - (sum % 36)) % 36]!;
}

export const mod36Holds = (fifteen: string): boolean => mod36(fifteen) === fifteen[14];
