// Splits many cases of one rule: some run in `npm test`, all others in `npm run test:more`.

/** @returns each case with the tags of its test: no tags for the first of every `oneOf` cases */
export function sampled<Case>(cases: readonly Case[], oneOf: number): [tags: string[], Case][] {
  return cases.map((one, at) => [at % oneOf === 0 ? [] : ['more'], one])
}
