/** The time now. Passed to whatever depends on it, so that a test can set it. */
export type Clock = () => Date;
