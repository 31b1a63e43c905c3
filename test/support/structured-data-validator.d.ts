// The parts of the package that tests use; it contains no types.
declare module '@adobe/structured-data-validator' {
  type Issue = { issueMessage: string; severity: 'ERROR' | 'WARNING'; path: unknown }
  export default class Validator {
    constructor(vocabulary: unknown)
    validate(data: Record<'jsonld' | 'microdata' | 'rdfa', unknown>): Promise<Issue[]>
  }
}
