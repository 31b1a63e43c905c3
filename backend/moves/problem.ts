// What a move refuses with: one clear line for the operator, exit code 1.

/** The message says what is wrong and what to do. */
export class MoveProblem extends Error {}
