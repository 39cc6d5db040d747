type Widened<M> = M extends string
  ? string
  : M extends (...args: infer Args) => infer Text
    ? (...args: Args) => Text
    : { [Name in keyof M]: Widened<M[Name]> };

/**
 * What another language has to say, if `M` is what a file of messages says in English:
 * `({ ...hi }) satisfies Messages<typeof import('./en/auth.ts')>`.
 */
export type Messages<M> = { [Name in keyof M]: Widened<M[Name]> };
