const VERSION = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})$/;

export const isVersion = (text: string): boolean => VERSION.test(text);

/** Negative when `a` is older than `b`, zero when equal. @throws for an invalid version. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => {
    const parts = VERSION.exec(text);
    if (!parts) throw new Error(`"${text}" is no version such as 1.4.0.`);
    return parts.slice(1).map(Number);
  }) as [number[], number[]];
  const difference = left.findIndex((part, index) => part !== right[index]);
  return difference < 0 ? 0 : left[difference]! - right[difference]!;
}
