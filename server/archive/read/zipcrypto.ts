/* eslint-disable no-bitwise -- a cipher of 32-bit words */
const TABLE = new Int32Array(256).map((_, n) => {
  let value = n;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** PKWARE's traditional cipher with its three running keys (APPNOTE 6.1). It is broken, but government portals still use it. */
export function zipCryptoKeys(password: Uint8Array) {
  let key0 = 0x12345678;
  let key1 = 0x23456789;
  let key2 = 0x34567890;

  function update(byte: number): void {
    key0 = (key0 >>> 8) ^ TABLE[(key0 ^ byte) & 0xff]!;
    key1 = (Math.imul((key1 + (key0 & 0xff)) | 0, 134775813) + 1) | 0;
    key2 = (key2 >>> 8) ^ TABLE[(key2 ^ (key1 >>> 24)) & 0xff]!;
  }

  const next = (): number => {
    const word = (key2 | 2) & 0xffff;
    return (Math.imul(word, word ^ 1) >>> 8) & 0xff;
  };

  for (const byte of password) update(byte);
  return {
    decrypt(data: Uint8Array): Buffer {
      const plain = Buffer.allocUnsafe(data.length);
      for (let n = 0; n < data.length; n += 1) {
        const byte = data[n]! ^ next();
        plain[n] = byte;
        update(byte);
      }
      return plain;
    },
    encrypt(plain: Uint8Array): Buffer {
      const data = Buffer.allocUnsafe(plain.length);
      for (let n = 0; n < plain.length; n += 1) {
        data[n] = plain[n]! ^ next();
        update(plain[n]!);
      }
      return data;
    },
  };
}
