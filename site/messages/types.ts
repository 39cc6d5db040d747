type Widened<M> = M extends string
  ? string
  : M extends (...args: infer Args) => infer Text
    ? (...args: Args) => Text
    : { [Name in keyof M]: Widened<M[Name]> };

/**
 * The texts that another language must provide, where `M` is the module of the English ones:
 * `({ ...hi }) satisfies Messages<typeof import('./en/auth.ts')>`.
 */
export type Messages<M> = { [Name in keyof M]: Widened<M[Name]> };
