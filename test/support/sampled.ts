// Many cases of one rule: some of them run in `npm test`, all others in `npm run test:more`.

/** @returns each case with the tags of its test: none for the first of so many */
export function sampled<Case>(cases: readonly Case[], oneOf: number): [tags: string[], Case][] {
  return cases.map((one, at) => [at % oneOf === 0 ? [] : ['more'], one])
}
